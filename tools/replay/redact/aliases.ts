/** The kind of an original; it is the first word of the alias. */
type AliasKind =
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
  | 'key'
  | 'app'
  | 'type';

/** Kinds that get a placeholder file instead of an alias; each kind has its own numbers. */
type PlaceholderKind = 'picture' | 'sound' | 'content';

/** The aliases of a capture's strings. The same original always has the same alias; the empty text stays. */
export interface Aliases {
  /** Returns an alias such as `text-0`. The kind is that of the place where the original occurred first. */
  of(kind: AliasKind, original: string): string;
  /** Returns the original's number within its kind, from 0. */
  numberOf(kind: PlaceholderKind, original: string): number;
  /** Returns the number of originals of each kind. */
  counts(): Readonly<Record<string, number>>;
}

/** Creates the aliases: the same value always gets the same alias. */
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
