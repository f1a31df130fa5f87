/** A capture that can be kept. */
export interface Candidate {
  readonly path: string;
  /** The size of its file. */
  bytes: number;
  /** The numbers of the branches that it reaches. */
  readonly reached: readonly number[];
}

/**
 * Selects captures that reach the same branches as all, in the order of their paths: takes the capture that adds the most branches, again and again. Of equal captures,
 * the smallest is taken, so that the same captures always give the same set.
 */
export function greedyCover(captures: readonly Candidate[]): Candidate[] {
  const missing = new Set(captures.flatMap(({ reached }) => reached));
  const taken: Candidate[] = [];
  const smallestFirst = [...captures].sort((a, b) => a.bytes - b.bytes || byPath(a, b));
  while (missing.size > 0) {
    let best: { readonly capture: Candidate; readonly added: number } | undefined;
    for (const capture of smallestFirst) {
      const added = capture.reached.filter((number) => missing.has(number)).length;
      if (added > (best?.added ?? 0)) best = { capture, added };
    }
    if (best === undefined) break;
    taken.push(best.capture);
    for (const number of best.capture.reached) missing.delete(number);
  }
  return taken.sort(byPath);
}

const byPath = (a: Candidate, b: Candidate): number => (a.path < b.path ? -1 : 1);
