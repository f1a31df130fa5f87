import { OPEN } from './thinkTag.ts';

/** The text before a tag: it decides whether a `</think>` ends the model's reasoning or is a word of its answer. */
export interface TagContext {
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
export function createTagContext(): TagContext {
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
