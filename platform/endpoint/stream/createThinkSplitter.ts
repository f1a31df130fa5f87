import type { AnswerPart } from '../endpoint.ts';
import { createLoneTagSplitter } from './createLoneTagSplitter.ts';
import { CLOSE, OPEN, cutTag, partsOf } from './thinkTag.ts';

/**
 * Separates the reasoning that some models write at the start of their text: in `<think>…</think>`, or before a lone `</think>` when the
 * first tag is in the prompt.
 */
export interface ThinkSplitter {
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
