/** A capture that can be kept. */
export interface Candidate {
  readonly path: string;
  /** The size of its file. */
  readonly bytes: number;
  /** The numbers of the branches that it reaches. */
  readonly reached: ReadonlySet<number>;
}

/**
 * Selects a smallest set of captures that reaches the same branches, in the order of their paths. First takes the capture that adds the most
 * branches, again and again (greedy set cover), then removes the captures without which nothing is missing, the largest first. Of captures that add as many
 * branches, the smallest is taken. The same captures always give the same set.
 */
export function distillCaptures<C extends Candidate>(captures: readonly C[]): C[] {
  const smallestFirst = [...captures].sort((a, b) => a.bytes - b.bytes || byPath(a, b));
  return withoutSuperfluous(greedyCover(smallestFirst)).sort(byPath);
}

const byPath = (a: Candidate, b: Candidate): number => (a.path < b.path ? -1 : 1);

/** Takes the capture that adds the most branches until none adds any. Of equal captures, the first one is taken. */
function greedyCover<C extends Candidate>(captures: readonly C[]): C[] {
  const taken: C[] = [];
  const covered = new Set<number>();
  let left = captures.map((capture) => ({ capture, added: capture.reached.size }));
  for (;;) {
    let best: (typeof left)[number] | undefined;
    for (const one of left) {
      // What a capture adds only becomes less: it is counted again only when it could be the best.
      if (one.added <= (best?.added ?? 0)) continue;
      one.added = countAdded(one.capture, covered);
      if (one.added > (best?.added ?? 0)) best = one;
    }
    if (best === undefined) return taken;
    taken.push(best.capture);
    for (const number of best.capture.reached) covered.add(number);
    best.added = 0;
    left = left.filter(({ added }) => added > 0);
  }
}

function countAdded({ reached }: Candidate, covered: ReadonlySet<number>): number {
  let added = 0;
  for (const number of reached) if (!covered.has(number)) added++;
  return added;
}

/** Removes the captures whose branches the others reach too: later captures can make an earlier one superfluous. */
function withoutSuperfluous<C extends Candidate>(captures: readonly C[]): C[] {
  const times = new Map<number, number>();
  for (const { reached } of captures)
    for (const number of reached) times.set(number, (times.get(number) ?? 0) + 1);
  const largestFirst = [...captures].sort((a, b) => b.bytes - a.bytes || byPath(b, a));
  return largestFirst.filter(({ reached }) => {
    const isNeeded = [...reached].some((number) => times.get(number) === 1);
    if (!isNeeded) for (const number of reached) times.set(number, (times.get(number) ?? 0) - 1);
    return isNeeded;
  });
}
