/**
 * Returns whether the failure still occurs with only these items. When it rejects, the search ends.
 */
type StillFails<T> = (items: readonly T[]) => Promise<boolean>;

/**
 * Finds a short list of the items, in their order, on which the failure still occurs, by delta debugging (Zeller and
 * Hildebrandt's ddmin). At the end, each remaining item is needed. The whole list must fail.
 *
 *     in n parts ── one part fails ────────▶ that part, in 2
 *         │ ─────── all but one fail ──────▶ those, in n − 1
 *         └──────── neither ───────────────▶ the same items, in 2n, until each part is one item
 */
export async function ddmin<T>(all: readonly T[], stillFails: StillFails<T>): Promise<readonly T[]> {
  if (all.length > 0 && (await stillFails([]))) return [];
  let items = all;
  for (let parts = 2; items.length > 1;) {
    const smaller = await reduced(items, parts, stillFails);
    if (smaller !== undefined) {
      ({ items, parts } = smaller);
    } else if (parts >= items.length) {
      break;
    } else {
      parts *= 2;
    }
    parts = Math.min(Math.max(2, parts), items.length);
  }
  return items;
}

/** Returns the first list that still fails, one part or all except one, with the next number of parts. */
async function reduced<T>(items: readonly T[], parts: number, stillFails: StillFails<T>) {
  const borders = Array.from({ length: parts + 1 }, (_, i) => Math.round((i * items.length) / parts));
  for (let i = 0; i < parts; i++) {
    const part = items.slice(borders[i], borders[i + 1]);
    if (await stillFails(part)) return { items: part, parts: 2 };
  }
  // With two parts, all except one is the other part.
  if (parts === 2) return undefined;
  for (let i = 0; i < parts; i++) {
    const others = [...items.slice(0, borders[i]), ...items.slice(borders[i + 1])];
    if (await stillFails(others)) return { items: others, parts: parts - 1 };
  }
  return undefined;
}
