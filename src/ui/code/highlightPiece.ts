import highlighter from 'highlight.js/lib/common';
import { type Token, TokenList } from './TokenList.ts';

// The window loads this module when it first shows code with a language: highlight.js is larger than the rest of the code's display.
highlighter.configure({ __emitter: TokenList });

/** Longer lines are not highlighted: the time for a line can be quadratic in its length. In UTF-16 units. */
const LINE_LENGTH = 300;
/** Maximum length of the text before a piece that is read again. In UTF-16 units. */
const CONTEXT_LENGTH = 2000;
const LONG_LINE = new RegExp(`[^\n]{${LINE_LENGTH + 1}}`, 'u');

/** A piece of code as tokens. */
interface HighlightedPiece {
  readonly tokens: readonly Token[];
  /** The beginning of what the end of the piece is in, such as a comment: to be read again before the next piece. */
  readonly context: string;
}

/**
 * Splits a piece of code into tokens. In a language that is not known, and around a very long line, there is one token.
 * @param context the context that the piece before it returned; empty for the first one
 */
export function highlightPiece(language: string, context: string, piece: string): HighlightedPiece {
  const isPlain = highlighter.getLanguage(language) === undefined || LONG_LINE.test(context + piece);
  if (isPlain) return plain(piece);
  const code = context + piece;
  const { _emitter: list } = highlighter.highlight(code, { language, ignoreIllegals: true });
  if (!(list instanceof TokenList) || !isComplete(list, code)) return plain(piece);
  const { openLength } = list;
  return {
    tokens: withoutStart(list.tokens, context.length),
    context: openLength > CONTEXT_LENGTH ? '' : code.slice(code.length - openLength),
  };
}

const plain = (piece: string): HighlightedPiece => ({ tokens: [{ text: piece, kind: null }], context: '' });

/** Returns whether the tokens are the code: after an error in a language's rules they are not. */
const isComplete = ({ tokens }: TokenList, code: string): boolean =>
  tokens.map(({ text }) => text).join('') === code;

/** Returns tokens without the first `length` UTF-16 units of their texts. */
function withoutStart(tokens: readonly Token[], length: number): Token[] {
  let left = length;
  const rest: Token[] = [];
  for (const { text, kind } of tokens) {
    if (text.length > left) rest.push({ text: text.slice(left), kind });
    left = Math.max(0, left - text.length);
  }
  return rest;
}
