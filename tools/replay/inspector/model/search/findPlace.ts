import { placesUnder, valueIn } from '../trace/stateTree.ts';

/** A text that the person chose in a drawing of a state. */
interface Chosen {
  readonly text: string;
  /** The path below which it is searched; by default that of the whole state. */
  readonly within?: string | undefined;
}

/** The number of places between two pauses, and after which the search ends. */
const PIECE = 200;
const MOST = 200_000;

/** Shorter texts are found only as a whole. */
const SHORT = 3;

/**
 * Finds the path of the value that a drawing shows as a text: the first value that has the same letters and digits; otherwise the longest one that contains
 * them or is contained in them, as a part of Markdown is; otherwise `within`, if it exists.
 */
export function* findPlace(root: unknown, { text, within = '' }: Chosen) {
  const wanted = plain(text);
  let best: { readonly path: string; readonly length: number } | undefined;
  let visited = 0;
  for (const { value, path } of placesUnder(valueIn(root, within), within)) {
    if (++visited % PIECE === 0) yield;
    if (visited > MOST) break;
    if ((typeof value === 'object' && value !== null) || wanted === '') continue;
    const found = plain(String(value));
    if (found === wanted) return path;
    const isPart =
      Math.min(found.length, wanted.length) >= SHORT && (found.includes(wanted) || wanted.includes(found));
    if (isPart && found.length > (best?.length ?? 0)) best = { path, length: found.length };
  }
  return best?.path ?? (within === '' ? undefined : within);
}

/** Returns the letters and digits of a text. */
const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
