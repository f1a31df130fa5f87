import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { ownField } from '../../../diff/valueDiff.ts';
import { differingIndexes } from '../../../diff/stateDiff.ts';

/** A list of a state that can be long: only the items that are needed are read. */
export class LongList {
  readonly #vector: Vector<unknown>;
  readonly #itemOf: (item: unknown) => unknown;

  /** @param itemOf returns an item of the vector as people see it. */
  constructor(vector: Vector<unknown>, itemOf = (item: unknown) => item) {
    this.#vector = vector;
    this.#itemOf = itemOf;
  }

  get length(): number {
    return this.#vector.length;
  }

  /** Returns the item at an index; `undefined` outside of the list. */
  at(index: number): unknown {
    const item = itemAt(this.#vector, index);
    return item === undefined ? undefined : this.#itemOf(item);
  }

  /** Returns the indexes at which this list may have another item than an earlier version that is not longer. */
  indexesSince(before: LongList): readonly number[] {
    return differingIndexes(before.#vector, this.#vector);
  }

  /** Returns the vector, which is plain data. */
  plain(): Vector<unknown> {
    return this.#vector;
  }

  /** Returns all items; `JSON.stringify` calls it. */
  toJSON(): unknown[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index));
  }
}

/** Returns a field of an object, or an item or the length of a list. */
export function fieldOf(value: unknown, key: string): unknown {
  if (!(value instanceof LongList)) return ownField(value, key);
  if (key === 'length') return value.length;
  return /^\d+$/.test(key) ? value.at(Number(key)) : undefined;
}
