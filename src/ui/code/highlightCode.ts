import { runInSlices } from '../base/runInSlices.ts';
import type { highlightPiece } from './highlightPiece.ts';
import { splitCode } from './splitCode.ts';
import type { Token } from './TokenList.ts';

/** Longer code is not highlighted. In UTF-16 units. */
const HIGHLIGHTED_LENGTH = 100_000;

type Highlight = typeof highlightPiece;

/** The highlighter, once it is loaded. */
let loaded: Highlight | undefined;

/**
 * Gives the parts of a code element their colours, piece by piece: at once while there is time, else in later tasks. Its text stays the same. Loads the
 * highlighter when it is first needed; until then, and when it cannot be loaded, the code is plain.
 * @returns a function that stops the work.
 */
export function highlightCode(code: Element, language: string): () => void {
  const text = code.textContent;
  if (text.length > HIGHLIGHTED_LENGTH) return () => undefined;
  const pieces = splitCode(text);
  const elements = splitElement(code, pieces);
  const work: Work = { language, pieces, elements, isStopped: false, cancel: () => undefined };
  if (loaded) showPieces(work, loaded);
  else void load().then((highlight) => highlight && showPieces(work, highlight));
  return () => {
    work.isStopped = true;
    work.cancel();
  };
}

/** Loads the highlighter; returns `undefined` when that fails. */
async function load(): Promise<Highlight | undefined> {
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
