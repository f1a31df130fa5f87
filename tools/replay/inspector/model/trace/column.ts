/** The number of values in a part of a column: a power of 2. */
const PART = 1 << 12;

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
    return this.#parts[Math.floor(index / PART)]?.[index % PART] ?? 0;
  }

  push(value: number): void {
    const index = this.#length++;
    if (index % PART === 0) this.#parts.push(new this.#type(PART));
    const part = this.#parts[Math.floor(index / PART)];
    if (part !== undefined) part[index % PART] = value;
  }

  /** Returns an independent copy of the first numbers. */
  copy(length: number): Column {
    const copy = new Column(this.#type);
    copy.#parts.push(...this.#parts.slice(0, Math.floor(length / PART)));
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
