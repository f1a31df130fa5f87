import { runInSlices } from '../base/runInSlices.ts';
import { languageLabel } from './codeLanguage.ts';
import type { highlightPiece } from './highlightPiece.ts';
import type { Token } from './TokenList.ts';

/** How long the button says that the code is copied, in milliseconds. */
export const COPIED_MS = 2000;

/** The type of {@link CodeCopied}. */
export const CODE_COPIED = 'codecopied';

/** The event at the button of a block of code that was copied, or could not be. */
export class CodeCopied extends Event {
  constructor(
    /** In UTF-16 units. */
    readonly codeLength: number,
    readonly isCopied: boolean,
  ) {
    super(CODE_COPIED, { bubbles: true });
  }
}

/**
 * Puts each block of code of sanitized markup (but none that is split into parts) into a container with a bar: the language, if the sender named one, and a button that copies the
 * code. Highlights code of a known language. The bar contains no text nodes (its words come from the style sheet), so that it is no part of the
 * message's text: of selections, copies and searches.
 * @returns a function that stops the highlighting.
 */
export function decorateCode(markup: ParentNode): () => void {
  const stops = Array.from(markup.querySelectorAll('pre:not(pre pre, .split)'), (block) => {
    const code = block.querySelector<HTMLElement>(':scope > code') ?? block;
    const language = code instanceof HTMLElement ? code.dataset['language'] : undefined;
    const container = document.createElement('div');
    container.className = 'code';
    block.replaceWith(container);
    container.append(barOf(code, language), block);
    return language === undefined ? undefined : highlightCode(code, language);
  });
  return () => {
    for (const stop of stops) stop?.();
  };
}

function barOf(code: Element, language: string | undefined): Element {
  const bar = document.createElement('div');
  bar.className = 'code-bar';
  if (language !== undefined) {
    const label = document.createElement('span');
    label.className = 'code-label';
    label.dataset['label'] = languageLabel(language);
    bar.append(label);
  }
  bar.append(copyButton(code));
  return bar;
}

function copyButton(code: Element): Element {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'code-copy';
  const say = (words: string) => {
    button.dataset['label'] = words;
    button.setAttribute('aria-label', words);
  };
  let reset: ReturnType<typeof setTimeout> | undefined;
  const copy = async () => {
    const isCopied = await copyCode(button, code.textContent);
    say(isCopied ? 'Copied' : 'Not copied');
    clearTimeout(reset);
    reset = setTimeout(() => say('Copy'), COPIED_MS);
  };
  say('Copy');
  button.addEventListener('click', () => void copy());
  return button;
}

/** Copies code, and says so by an event at its button; returns whether it is copied. */
export async function copyCode(button: Element, text: string): Promise<boolean> {
  const isCopied = await writeToClipboard(text);
  button.dispatchEvent(new CodeCopied(text.length, isCopied));
  return isCopied;
}

/** Returns whether the clipboard accepted the text: it is denied where pages have no access to it. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Longer code is not highlighted. In UTF-16 units. */
export const HIGHLIGHTED_LENGTH = 100_000;

/** Splits a piece of code into tokens. */
export type Highlight = typeof highlightPiece;

/** The highlighter, once it is loaded. */
let loaded: Highlight | undefined;

/** Returns the highlighter; `undefined` until it is loaded. */
export const loadedHighlighter = (): Highlight | undefined => loaded;

/**
 * Gives the parts of a code element their colours, piece by piece: at once while there is time, else in later tasks. Its text stays the same. Loads the
 * highlighter when it is first needed; until then, and when it cannot be loaded, the code is plain.
 * @returns a function that stops the work.
 */
function highlightCode(code: Element, language: string): () => void {
  const text = code.textContent;
  if (text.length > HIGHLIGHTED_LENGTH) return () => undefined;
  const pieces = splitCode(text);
  const elements = splitElement(code, pieces);
  const work: Work = { language, pieces, elements, isStopped: false, cancel: () => undefined };
  if (loaded) showPieces(work, loaded);
  else void loadHighlighter().then((highlight) => highlight && showPieces(work, highlight));
  return () => {
    work.isStopped = true;
    work.cancel();
  };
}

/** Loads the highlighter; returns `undefined` when that fails. */
export async function loadHighlighter(): Promise<Highlight | undefined> {
  try {
    loaded = (await import('./highlightPiece.ts')).highlightPiece;
  } catch {
    // The code stays plain. The next code tries again.
  }
  return loaded;
}

interface Work {
  readonly language: string;
  readonly pieces: readonly string[];
  readonly elements: readonly Element[];
  isStopped: boolean;
  cancel: () => void;
}

/** Puts each piece into an element of its own, so that a piece that gets its colours lays out itself only. */
function splitElement(code: Element, pieces: readonly string[]): readonly Element[] {
  if (pieces.length <= 1) return [code];
  const elements = pieces.map(pieceElement);
  code.replaceChildren(...elements);
  return elements;
}

function showPieces(work: Work, highlight: Highlight): void {
  const show = (at: number, before: string) => {
    const [piece, element] = [work.pieces[at], work.elements[at]];
    if (piece === undefined || element === undefined || work.isStopped) return;
    work.cancel = runInSlices(() => {
      const { tokens, context } = highlight(work.language, before, piece);
      element.replaceChildren(...tokens.map(tokenNode));
      show(at + 1, context);
    });
  };
  show(0, '');
}

function pieceElement(text: string): Element {
  const element = document.createElement('span');
  element.className = 'code-piece';
  element.textContent = text;
  return element;
}

function tokenNode({ text, kind }: Token): Node | string {
  if (kind === null) return text;
  const element = document.createElement('span');
  element.className = `code-${kind}`;
  element.textContent = text;
  return element;
}

/** Length of the pieces in which code is highlighted, in UTF-16 units: a piece takes about 10 ms. */
const PIECE_LENGTH = 2000;

/** Splits code into pieces after line ends. Joined, they are the code. A line that is longer than a piece is a piece of its own. */
export function splitCode(code: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < code.length;) {
    const end = code.length - start <= PIECE_LENGTH ? code.length : pieceEnd(code, start);
    pieces.push(code.slice(start, end));
    start = end;
  }
  return pieces;
}

/** Returns the end of the last line that ends within the piece, or else of the piece's first line. */
function pieceEnd(code: string, start: number): number {
  const lastLine = start + code.slice(start, start + PIECE_LENGTH).lastIndexOf('\n') + 1;
  if (lastLine > start) return lastLine;
  const lineEnd = code.indexOf('\n', start);
  return lineEnd === -1 ? code.length : lineEnd + 1;
}
