import type { InspectorClient } from '../protocol/client.ts';
import type { AlignBy } from '../protocol/protocol.ts';
import type { Rows } from './rows.ts';

/** Two sessions whose steps are aligned. */
export interface Aligned {
  readonly a: InspectorClient;
  readonly b: InspectorClient;
  readonly rows: Rows;
  readonly by: AlignBy;
}

/** The number of rows that are compared at once. */
const PIECE = 500;

/** Finds the first row after which the states differ. */
export async function findDivergence({ a, b, rows, by }: Aligned): Promise<number | undefined> {
  for (let from = 1; from < rows.count; from += PIECE) {
    const to = Math.min(rows.count, from + PIECE);
    const [changesA, changesB] = await Promise.all([
      deltasOf({ client: a, side: 'a' }),
      deltasOf({ client: b, side: 'b' }),
    ]);
    for (let row = from; row < to; row++) if (changesA(row) !== changesB(row)) return row;

    async function deltasOf({ client, side }: { client: InspectorClient; side: 'a' | 'b' }) {
      const first = rows.stepAt(side, from - 1) + 1;
      const range = { from: first, to: rows.stepAt(side, to - 1) + 1, by };
      const deltas = await client.request('deltas', range);
      return (row: number) => {
        const step = rows.stepIn(side, row);
        return step === undefined ? 0 : (deltas[step - first] ?? 0);
      };
    }
  }
  return undefined;
}
