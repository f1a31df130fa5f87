/** A growable column of numbers: one typed array whose capacity doubles when it is full. */
export interface GrowableColumn {
  readonly length: number;
  /** Returns the number at an index below the length. */
  at(index: number): number;
  push(value: number): void;
  /** Removes all numbers from an index on. */
  truncate(length: number): void;
  /** Returns the current numbers; not a copy. */
  all(): Column;
  /** Returns an independent copy. */
  copy(): GrowableColumn;
}

/** The arrays of numbers that a column can have. */
type Column = Uint8Array | Uint32Array | Float64Array;

const MAKERS = {
  byte: (length: number) => new Uint8Array(length),
  whole: (length: number) => new Uint32Array(length),
  number: (length: number) => new Float64Array(length),
} as const;

const FIRST = 1024;

/** Creates a column of bytes, of integers below 2³², or of any numbers. */
export function growableColumn(kind: keyof typeof MAKERS, start?: Column): GrowableColumn {
  let length = start?.length ?? 0;
  let items: Column = start ?? MAKERS[kind](FIRST);
  return {
    get length() {
      return length;
    },
    at: (index) => items[index] ?? 0,
    push(value) {
      if (length === items.length) {
        const grown = MAKERS[kind](Math.max(FIRST, length * 2));
        grown.set(items);
        items = grown;
      }
      items[length++] = value;
    },
    truncate(to) {
      length = Math.min(length, to);
    },
    all: () => items.subarray(0, length),
    copy: () => growableColumn(kind, items.slice(0, length)),
  };
}

/** Returns independent copies of columns. */
export function copyColumns<T extends Readonly<Record<keyof T, GrowableColumn>>>(columns: T): T {
  const copies = Object.entries<GrowableColumn>(columns).map(([name, column]) => [name, column.copy()]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(copies) as T;
}

/** Counts the numbers less than `value` in a column that never decreases. */
export const countBelow = (column: GrowableColumn, value: number): number =>
  countWhile(column, (item) => item < value);

/** Counts the numbers up to and including `value` in a column that never decreases. */
export const countUpTo = (column: GrowableColumn, value: number): number =>
  countWhile(column, (item) => item <= value);

function countWhile(column: GrowableColumn, matches: (item: number) => boolean): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(column.at(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}
