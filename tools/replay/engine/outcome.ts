/** The result of a replay as the numbers of contract §7. */
export interface Outcome {
  readonly frames: { readonly received: number; readonly sent: number; readonly rejected: number };
  readonly updates: { readonly applied: number; readonly ignored: number };
}

interface Counted {
  readonly counts: {
    readonly received: number;
    readonly sent: number;
    readonly applied: number;
    readonly ignored: number;
    readonly rejected: Readonly<Partial<Record<string, number>>>;
  };
}

/** Returns the numbers of a replay. */
export function createOutcome({ counts: { received, sent, rejected, applied, ignored } }: Counted): Outcome {
  const all = Object.values(rejected).reduce<number>((sum, n = 0) => sum + n, 0);
  return { frames: { received, sent, rejected: all }, updates: { applied, ignored } };
}
