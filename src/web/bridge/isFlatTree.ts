/** Containers within containers, the argument list first. No page sends more than 4 levels. */
const MOST_LEVELS = 32;
/** The longest text of a date that is read. */
const DATE_LENGTH = 40;
/** devalue's marks of values that have no entry: `undefined` is -1, -0 is the last. A sparse array's mark, -7, is none of them. */
const LAST_MARK = -6;

/**
 * Whether devalue can revive this flat form at a cost that its length bounds: a tree of JSON's values, dates, maps, sets
 * and bytes. Refuses what makes the work of its reader longer than the frame is, and no page sends: sparse arrays (of
 * 4,294,967,295 elements in 13 characters), references to a container from two places or from within itself, patterns,
 * big integers, names such as `__proto__`, and deep values.
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
    if (seen.has(index) || level > MOST_LEVELS) return false;
    seen.add(index);
    return referencesOf(entry)?.every((reference) => isTree(reference, level + 1)) ?? false;
  };
  return isTree(0, 1);
}

/** What a container refers to, or `undefined` for one that no page sends. */
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
