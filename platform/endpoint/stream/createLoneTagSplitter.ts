import type { AnswerPart } from '../endpoint.ts';
import { createTagContext } from './createTagContext.ts';
import { CLOSE, cutTag, partsOf } from './thinkTag.ts';

/** What may follow a tag that ends reasoning: the end of its line, or the answer without a space. */
const FOLLOWS = /^(?:[ \t]{0,8}(?:[\r\n]|$)|[^\s,.;:!?)\]}"'”’»`])/;
/** What follows the tag does not decide yet. */
const UNDECIDED = /^[ \t]{0,8}$/;

/** The parts of a text, and the text after the tag once it was found. */
interface LoneTagResult {
  readonly parts: readonly AnswerPart[];
  readonly rest?: string;
}

/** Finds the `</think>` that ends reasoning whose `<think>` is in the prompt. */
interface LoneTagSplitter {
  /** Returns the parts that are certain with these new characters. */
  take(text: string): LoneTagResult;
  /** From now on, a tag counts only before the first word. */
  expectNoReasoning(): void;
  /** Returns what was held back, at the end of the answer. */
  end(): LoneTagResult;
}

/** Creates a splitter for a text that does not begin with `<think>`. A tag that is a word of the answer is text. */
export function createLoneTagSplitter(): LoneTagSplitter {
  const context = createTagContext();
  let held = '';
  let isReasoned = false;

  /** Returns everything held except its last `kept` characters. */
  const takeText = (kept: number): AnswerPart[] => {
    const text = held.slice(0, held.length - kept);
    held = held.slice(text.length);
    context.add(text);
    return partsOf('text', text);
  };
  const scan = (isEnd: boolean): LoneTagResult => {
    const parts: AnswerPart[] = [];
    for (let at = held.indexOf(CLOSE); at !== -1; at = held.indexOf(CLOSE)) {
      parts.push(...takeText(held.length - at));
      const rest = held.slice(CLOSE.length);
      if (!isEnd && UNDECIDED.test(rest)) return { parts };
      if (FOLLOWS.test(rest) && context.allowsEnd() && (!isReasoned || context.isBlank()))
        return { parts: [...parts, { kind: 'reasoningEnded' }], rest };
      parts.push(...takeText(rest.length));
    }
    return { parts: [...parts, ...takeText(isEnd ? 0 : cutTag(held))] };
  };

  return {
    take(text) {
      held += text;
      return scan(false);
    },
    expectNoReasoning: () => void (isReasoned = true),
    end: () => scan(true),
  };
}
