/** Yields items; ends at an abort also while the first item is prepared. Later the items end by themselves. */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  const listening = new AbortController();
  const aborted = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: listening.signal }),
  );
  try {
    const first = await Promise.race([iterator.next(), aborted]);
    for (let next = first; next?.done === false; next = await iterator.next()) yield next.value;
  } finally {
    // One signal may end many lists, one after the other.
    listening.abort();
    const ended = iterator.return?.();
    if (!signal.aborted) await ended;
  }
}
