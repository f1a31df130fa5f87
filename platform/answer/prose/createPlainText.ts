import { hasForbiddenScheme } from './linkAt.ts';

/** A run of `*` or `_` among the pieces of a text. */
interface Run {
  readonly index: number;
  readonly character: string;
  length: number;
}

const WORD = /[A-Za-z\d]/;
const SPACE = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Collects the plain text of Markdown. Each marker of emphasis is removed with its counterpart, in linear time. */
export function createPlainText(text: string) {
  const pieces: string[] = [];
  /** The runs that can begin emphasis. */
  const openers = { '*': new Array<Run>(), _: new Array<Run>() };
  const brackets: number[] = [];

  const put = ({ index, character, length }: Run) => {
    pieces[index] = character.repeat(length);
  };

  return {
    add: (piece: string) => void pieces.push(piece),
    /** Adds a run of `*` or `_` that is at an index of the text. */
    addRun(markers: string, at: number) {
      const character = markers.charAt(0);
      const run: Run = { index: pieces.length, character, length: markers.length };
      const stack = openers[character === '_' ? '_' : '*'];
      const { canOpen, canClose } = flanks(text.charAt(at - 1), text.charAt(at + markers.length), character);
      pieces.push('');
      if (canClose) for (const opener of closeEmphasis(run, stack)) put(opener);
      put(run);
      if (canOpen && run.length > 0) stack.push(run);
    },
    openLink(bracket: string) {
      brackets.push(pieces.length);
      pieces.push(bracket);
    },
    /** Ends the text of a link. Without an address, the brackets are text. */
    closeLink(link: { readonly address: string } | undefined) {
      const opening = brackets.pop();
      if (link !== undefined && opening !== undefined) {
        pieces[opening] = '';
        pieces.push(addressAfter(pieces.slice(opening).join(''), link.address));
      } else pieces.push(']', link === undefined ? '' : `(${link.address})`);
    },
    end(isOpen: boolean) {
      if (!isOpen) return pieces.join('');
      // More characters follow: they close strong emphasis, or make a marker of the asterisks at the end.
      for (const opener of openers['*']) if (opener.length > 1) put({ ...opener, length: 0 });
      const plain = pieces.join('');
      return text.endsWith('*') ? plain.replace(/\*{1,3}$/, '') : plain;
    },
  };
}

/** Removes the markers that a run closes, from both; returns the changed openers. */
function closeEmphasis(run: Run, openers: Run[]): readonly Run[] {
  const changed: Run[] = [];
  for (let opener = openers.at(-1); opener && run.length > 0; opener = openers.at(-1)) {
    const removed = Math.min(run.length, opener.length);
    run.length -= removed;
    opener.length -= removed;
    changed.push(opener);
    if (opener.length === 0) openers.pop();
  }
  return changed;
}

/** Returns what follows the text of a link: its address, unless the text is the address or the address is not allowed. */
function addressAfter(label: string, address: string): string {
  if (address === '' || address === label || `mailto:${label}` === address || hasForbiddenScheme(address))
    return '';
  return label === '' ? address : ` (${address})`;
}

/** Returns whether a run can begin and end emphasis, by the characters around it. Within a word of ASCII, it is text. */
function flanks(before: string, after: string, character: string) {
  const isWithinWord = WORD.test(before) && WORD.test(after);
  const isLeft = isFlanking(after, before);
  const isRight = isFlanking(before, after);
  const isUnderscore = character === '_';
  return {
    canOpen: isLeft && !isWithinWord && !(isUnderscore && isRight && !PUNCTUATION.test(before)),
    canClose: isRight && !isWithinWord && !(isUnderscore && isLeft && !PUNCTUATION.test(after)),
  };
}

const isFlanking = (inner: string, outer: string): boolean =>
  inner !== '' &&
  !SPACE.test(inner) &&
  (!PUNCTUATION.test(inner) || outer === '' || SPACE.test(outer) || PUNCTUATION.test(outer));
