/** The number of values in a part of a column, as a power of 2. */
const BITS = 12;
const PART = 1 << BITS;
const MASK = PART - 1;

/** A list of numbers that only grows. It consists of parts: it grows without being copied, and copies share the full parts. */
export class Column {
  #length = 0;
  readonly #parts: (Uint32Array | Float64Array)[] = [];
  readonly #type: new (length: number) => Uint32Array | Float64Array;

  /** @param type the array of its numbers: integers below 2³², or any numbers. */
  constructor(type: new (length: number) => Uint32Array | Float64Array) {
    this.#type = type;
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the number at an index below the length. */
  at(index: number): number {
    return this.#parts[index >>> BITS]?.[index & MASK] ?? 0;
  }

  push(value: number): void {
    const index = this.#length++;
    const at = index & MASK;
    if (at === 0) this.#parts.push(new this.#type(PART));
    const part = this.#parts[index >>> BITS];
    if (part !== undefined) part[at] = value;
  }

  /** Returns an independent copy of the first numbers. */
  copy(length: number): Column {
    const copy = new Column(this.#type);
    copy.#parts.push(...this.#parts.slice(0, length >>> BITS));
    copy.#length = copy.#parts.length * PART;
    while (copy.#length < length) copy.push(this.at(copy.#length));
    return copy;
  }
}

/** Counts the items at the start of a list that match; no item after these matches. */
export function countWhile<T>(
  items: { readonly length: number; at(index: number): T | undefined },
  matches: (item: T) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items.at(middle);
    if (item !== undefined && matches(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
