import type { AnswerPart } from '../endpoint.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** Separates the reasoning that some models write at the start of their text, in `<think>…</think>`. */
export interface ThinkSplitter {
  /** Returns the parts that are certain with these new characters. */
  take(text: string): AnswerPart[];
  /** Returns what was held back, at the end of the answer. */
  end(): AnswerPart[];
}

/**
 * Creates a splitter for one answer. Tags can be cut across calls.
 *
 *     start ──<think>──▶ thinking ──</think>──▶ after ──a character──▶ text
 *       └────────────any other text─────────────────────────────────────▲
 */
export function createThinkSplitter(): ThinkSplitter {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start';
  let held = '';

  /** Returns everything held except its last `kept` characters, which stay. */
  const release = (kept: number) => {
    const text = held.slice(0, held.length - kept);
    held = held.slice(held.length - kept);
    return text;
  };

  const start = (): AnswerPart[] => {
    const beginning = held.trimStart();
    if (OPEN.startsWith(beginning)) return [];
    if (!beginning.startsWith(OPEN)) {
      state = 'text';
      return partsOf('text', release(0));
    }
    state = 'thinking';
    held = beginning.slice(OPEN.length);
    return think();
  };

  const think = (): AnswerPart[] => {
    const at = held.indexOf(CLOSE);
    if (at === -1) return partsOf('reasoning', release(cutTag(held)));
    const parts = partsOf('reasoning', held.slice(0, at));
    state = 'after';
    held = held.slice(at + CLOSE.length);
    return [...parts, ...skipSpace()];
  };

  const skipSpace = (): AnswerPart[] => {
    held = held.trimStart();
    if (held !== '') state = 'text';
    return partsOf('text', release(0));
  };

  return {
    take(text) {
      held += text;
      if (state === 'start') return start();
      if (state === 'thinking') return think();
      return state === 'after' ? skipSpace() : partsOf('text', release(0));
    },
    end: () => partsOf(state === 'thinking' ? 'reasoning' : 'text', release(0)),
  };
}

const partsOf = (kind: 'text' | 'reasoning', text: string): AnswerPart[] =>
  text === '' ? [] : [{ kind, text }];

/** Returns how many characters at the end of the text could be the start of the closing tag. */
function cutTag(text: string): number {
  let length = Math.min(CLOSE.length - 1, text.length);
  while (!CLOSE.startsWith(text.slice(text.length - length))) length -= 1;
  return length;
}
