/**
 * Runs only the newest of the requested pieces of work. One piece runs at a time; meanwhile only the newest further piece is kept,
 * and the ones before it are dropped.
 *
 *   idle ─request─▶ busy ─done─▶ idle
 *                   busy ─request─▶ busy, one waiting ─done─▶ busy
 */
export function latest<T>(work: (what: T) => Promise<void>, onError: (error: unknown) => void) {
  let isBusy = false;
  let waiting: { readonly what: T } | undefined;

  const run = async (first: T) => {
    isBusy = true;
    let next: { readonly what: T } | undefined = { what: first };
    while (next !== undefined) {
      await work(next.what).catch(onError);
      next = waiting;
      waiting = undefined;
    }
    isBusy = false;
  };

  return (what: T): void => {
    if (isBusy) waiting = { what };
    else void run(what);
  };
}
