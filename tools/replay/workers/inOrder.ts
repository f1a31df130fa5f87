/** A value with its place in the order, from 0. */
export interface Numbered<T> {
  readonly index: number;
  readonly value: T;
}

/**
 * Yields values in their order. When one is missing for a long time, it does not hold back more than `lookahead` others: these are
 * then yielded before it.
 */
export async function* inOrder<T>(
  values: AsyncIterable<Numbered<T>>,
  lookahead = 256,
): AsyncGenerator<T, void> {
  const waiting = new Map<number, T>();
  let next = 0;
  for await (const { index, value } of values) {
    if (index < next) {
      yield value;
      continue;
    }
    waiting.set(index, value);
    if (waiting.size > lookahead) next = Math.min(...waiting.keys());
    for (; waiting.has(next); next++) yield taken(waiting, next);
  }
  for (const index of [...waiting.keys()].sort((a, b) => a - b)) yield taken(waiting, index);
}

function taken<T>(from: Map<number, T>, index: number): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const value = from.get(index) as T;
  from.delete(index);
  return value;
}
