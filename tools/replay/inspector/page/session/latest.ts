/**
 * Work of which only the newest counts. One piece is under way at a time; while it is, only the newest further piece is
 * kept, and what came between is never done.
 *
 *   idle ─ask─▶ busy ─done─▶ idle
 *               busy ─ask─▶ busy, one waiting ─done─▶ busy
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
