/** Maximum nesting of containers, with the argument list. No page sends more than 4 levels. */
const MAX_LEVELS = 32;
/** Maximum length of a date's text. */
const DATE_LENGTH = 40;
/** devalue's marks of values without an entry: from -1 (`undefined`) to -6 (-0). The mark of a sparse array, -7, is refused. */
const LAST_MARK = -6;

/**
 * Returns whether devalue can revive this flat form at a cost proportional to its length: a tree of JSON values, dates,
 * maps, sets and bytes. Refuses forms that cost more and that no page sends: sparse arrays (4,294,967,295 elements in 13
 * characters), a container that is referenced twice or contains itself, regular expressions, big integers, names such as
 * `__proto__`, and deep values.
 */
export function isFlatTree(flat: unknown): flat is unknown[] {
  if (!Array.isArray(flat) || flat.length === 0) return false;
  const entries: readonly unknown[] = flat;
  const seen = new Set<number>();
  const isTree = (index: unknown, level: number): boolean => {
    if (!Number.isInteger(index) || typeof index !== 'number' || index >= entries.length) return false;
    if (index < 0) return index >= LAST_MARK;
    const entry = entries[index];
    if (typeof entry !== 'object' || entry === null) return true;
    if (seen.has(index) || level > MAX_LEVELS) return false;
    seen.add(index);
    return referencesOf(entry)?.every((reference) => isTree(reference, level + 1)) ?? false;
  };
  return isTree(0, 1);
}

/** Returns the references of a container; `undefined` for a container that no page sends. */
function referencesOf(entry: object): readonly unknown[] | undefined {
  if (!Array.isArray(entry)) return Object.hasOwn(entry, '__proto__') ? undefined : Object.values(entry);
  const [type, ...rest]: readonly unknown[] = entry;
  if (typeof type !== 'string') return entry;
  const [first] = rest;
  switch (type) {
    case 'Date':
      return typeof first === 'string' && first.length <= DATE_LENGTH ? [] : undefined;
    case 'ArrayBuffer':
      return typeof first === 'string' ? [] : undefined;
    case 'Uint8Array':
      return [first];
    case 'Map':
      return rest.length % 2 === 0 ? rest : undefined;
    case 'Set':
      return rest;
    default:
      return undefined;
  }
}
