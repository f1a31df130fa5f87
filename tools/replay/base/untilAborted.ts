/** Yields items; ends at an abort also while the first item is prepared. Later the items end by themselves. */
export async function* untilAborted<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  let onAbort = () => {};
  const aborted = new Promise<undefined>((resolve) => (onAbort = () => resolve(undefined)));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const first = await Promise.race([iterator.next(), aborted]);
    for (let next = first; next?.done === false; next = await iterator.next()) yield next.value;
  } finally {
    signal.removeEventListener('abort', onAbort);
    const ended = iterator.return?.();
    if (!signal.aborted) await ended;
  }
}
