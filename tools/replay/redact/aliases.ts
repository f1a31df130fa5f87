/** What an alias stands for; it is the alias's first word. */
export type AliasKind =
  | 'text'
  | 'html'
  | 'person'
  | 'context'
  | 'id'
  | 'file'
  | 'category'
  | 'modifier'
  | 'reason'
  | 'frame'
  | 'binary'
  | 'key';

/** What is drawn instead of an alias; each kind is numbered for itself. */
export type PlaceholderKind = 'picture' | 'sound' | 'content';

/** The names that a capture's strings get. One original has one alias, wherever it stands; the empty text stays. */
export interface Aliases {
  /** `text-0`; the kind is that of the place where the original stood first. */
  of(kind: AliasKind, original: string): string;
  /** The original's number among its kind, from 0. */
  numberOf(kind: PlaceholderKind, original: string): number;
  /** How many originals of each kind there were. */
  counts(): Readonly<Record<string, number>>;
}

export function createAliases(): Aliases {
  const names = new Map<string, string>();
  const numbers = new Map<string, Map<string, number>>();
  const counted = new Map<string, number>();
  const next = (kind: string): number => {
    const number = counted.get(kind) ?? 0;
    counted.set(kind, number + 1);
    return number;
  };
  return {
    of(kind, original) {
      if (original === '') return '';
      const known = names.get(original);
      if (known !== undefined) return known;
      const name = `${kind}-${next(kind)}`;
      names.set(original, name);
      return name;
    },
    numberOf(kind, original) {
      const ofKind = numbers.get(kind) ?? new Map<string, number>();
      numbers.set(kind, ofKind);
      const number = ofKind.get(original) ?? next(kind);
      ofKind.set(original, number);
      return number;
    },
    counts: () => Object.fromEntries(counted),
  };
}
