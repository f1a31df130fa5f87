import type { AnswerPart } from './endpoint.ts';

/**
 * Separates the reasoning that some models write at the start of their text: in `<think>…</think>`, or before a lone `</think>` when the
 * first tag is in the prompt.
 */
interface ThinkSplitter {
  /** Returns the parts that are certain with these new characters. */
  take(text: string): AnswerPart[];
  /** The endpoint has sent the reasoning separately: a lone `</think>` counts only before the first word. */
  expectNoReasoning(): void;
  /** Returns what was held back, at the end of the answer. */
  end(): AnswerPart[];
}

/**
 * Creates a splitter for one answer. Tags can be cut across calls.
 *
 *     start ──<think>──▶ thinking ──</think>──▶ after ──a character──▶ text
 *       └──any other text──▶ open ──a lone </think>──▲
 */
export function createThinkSplitter(): ThinkSplitter {
  const lone = createLoneTagSplitter();
  let state: 'start' | 'thinking' | 'open' | 'after' | 'text' = 'start';
  let held = '';

  /** Returns everything held except its last `kept` characters, which stay. */
  const release = (kept: number) => {
    const text = held.slice(0, held.length - kept);
    held = held.slice(text.length);
    return text;
  };
  const skipSpace = (): AnswerPart[] => {
    held = held.trimStart();
    state = held === '' ? 'after' : 'text';
    return partsOf('text', release(0));
  };
  const think = (): AnswerPart[] => {
    const at = held.indexOf(CLOSE);
    if (at === -1) return partsOf('reasoning', release(cutTag(held)));
    const parts = partsOf('reasoning', held.slice(0, at));
    held = held.slice(at + CLOSE.length);
    return [...parts, ...skipSpace()];
  };
  const splitLone = (isEnd: boolean): AnswerPart[] => {
    const { parts, rest } = isEnd ? lone.end() : lone.take(release(0));
    held = rest ?? '';
    return rest === undefined ? [...parts] : [...parts, ...skipSpace()];
  };
  const start = (): AnswerPart[] => {
    const beginning = held.trimStart();
    if (OPEN.startsWith(beginning)) return [];
    state = beginning.startsWith(OPEN) ? 'thinking' : 'open';
    if (state === 'open') return splitLone(false);
    held = beginning.slice(OPEN.length);
    return think();
  };
  const NEXT = { start, thinking: think, open: () => splitLone(false), after: skipSpace };

  return {
    take(text) {
      held += text;
      return state === 'text' ? partsOf('text', release(0)) : NEXT[state]();
    },
    expectNoReasoning: lone.expectNoReasoning,
    end() {
      if (state === 'open') return splitLone(true);
      return partsOf(state === 'thinking' ? 'reasoning' : 'text', release(0));
    },
  };
}

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
function createLoneTagSplitter(): LoneTagSplitter {
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

/** The text before a tag: it decides whether a `</think>` ends the model's reasoning or is a word of its answer. */
interface TagContext {
  /** Adds the next characters. */
  add(text: string): void;
  /** Whether there were only spaces so far. */
  isBlank(): boolean;
  /** Whether a `</think>` can end the reasoning here, if what follows it allows that too. */
  allowsEnd(): boolean;
}

/** Only the beginning of a line decides whether it is a fence. In UTF-16 units. */
const LINE_LENGTH = 200;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const END_OF_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** The first of a run of backticks. */
const BACKTICKS = /[^`]`/g;
const INDENT = /^ {0,3}$/;
/** Before a word that is quoted or in brackets, and in a script without spaces, a tag can be a word of a sentence. */
const NOT_BEFORE = /[\s"'“‘«([{<>`|\p{Lo}]$/u;

/**
 * Creates the context at the beginning of a text. A tag ends reasoning at the beginning of a line or directly after its last word; not in code,
 * and not after a `<think>`.
 */
function createTagContext(): TagContext {
  let line = '';
  let last = '';
  let fence = '';
  let isInCode = false;
  let hasOpened = false;
  let isBlank = true;

  const endLine = () => {
    if (fence === '') fence = FENCE.exec(line)?.[1] ?? '';
    else if (END_OF_FENCE.exec(line)?.[1]?.startsWith(fence) === true) fence = '';
    line = '';
    last = '';
    isInCode = false;
  };
  const addToLine = (text: string) => {
    if (text === '') return;
    line += text.slice(0, LINE_LENGTH - line.length);
    hasOpened ||= (last + text).includes(OPEN);
    const runs = `${last.at(-1) ?? ' '}${text}`.match(BACKTICKS)?.length ?? 0;
    if (runs % 2 === 1) isInCode = !isInCode;
    last = (last + text).slice(1 - OPEN.length);
    isBlank &&= text.trim() === '';
  };
  return {
    add(text) {
      const [first = '', ...lines] = text.split(/[\r\n]/);
      addToLine(first);
      for (const next of lines) {
        endLine();
        addToLine(next);
      }
    },
    isBlank: () => isBlank,
    allowsEnd: () => !hasOpened && fence === '' && !isInCode && (INDENT.test(line) || !NOT_BEFORE.test(last)),
  };
}

/** The tags around the reasoning of some models. */
const OPEN = '<think>';
const CLOSE = '</think>';

/** Returns a text as a part, unless it is empty. */
const partsOf = (kind: 'text' | 'reasoning', text: string): AnswerPart[] =>
  text === '' ? [] : [{ kind, text }];

/** Returns how many characters at the end of the text could be the start of the closing tag. */
function cutTag(text: string): number {
  let length = Math.min(CLOSE.length - 1, text.length);
  while (!CLOSE.startsWith(text.slice(text.length - length))) length -= 1;
  return length;
}
