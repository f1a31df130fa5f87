type Items = Uint8Array | Uint32Array | Float64Array;

const FIRST_CAPACITY = 1024;

/** A growable column of numbers: one typed array whose capacity doubles when it is full. */
export class Column {
  length = 0;
  #items: Items;
  readonly #type: new (length: number) => Items;

  /** @param type the array of its numbers: bytes, integers below 2³², or any numbers. */
  constructor(type: new (length: number) => Items) {
    this.#type = type;
    this.#items = new type(FIRST_CAPACITY);
  }

  /** Returns the number at an index below the length. */
  at(index: number): number {
    return this.#items[index] ?? 0;
  }

  push(value: number): void {
    if (this.length === this.#items.length) this.#items = this.#withCapacity(2 * this.length);
    this.#items[this.length++] = value;
  }

  /** Removes all numbers from an index on. */
  truncate(length: number): void {
    this.length = Math.min(this.length, length);
  }

  /** Returns the current numbers; not a copy. */
  all(): Items {
    return this.#items.subarray(0, this.length);
  }

  /** Returns an independent copy. */
  copy(): Column {
    const copy = new Column(this.#type);
    copy.#items = this.#withCapacity(Math.max(FIRST_CAPACITY, this.length));
    copy.length = this.length;
    return copy;
  }

  #withCapacity(capacity: number): Items {
    const items = new this.#type(capacity);
    items.set(this.all());
    return items;
  }
}

/** Returns independent copies of columns. */
export const copyColumns = <Name extends string>(columns: Readonly<Record<Name, Column>>) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  Object.fromEntries(
    Object.entries<Column>(columns).map(([name, column]) => [name, column.copy()]),
  ) as Record<Name, Column>;

/** Counts the numbers less than `value` in a column that never decreases. */
export const countBelow = (column: Column, value: number): number =>
  countWhile(column, (item) => item < value);

/** Counts the numbers up to and including `value` in a column that never decreases. */
export const countUpTo = (column: Column, value: number): number =>
  countWhile(column, (item) => item <= value);

function countWhile(column: Column, matches: (item: number) => boolean): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(column.at(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}
