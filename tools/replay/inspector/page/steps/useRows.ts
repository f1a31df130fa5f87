import { useEffect, useMemo, useState } from 'react';
import type { StepRow } from '../../protocol/protocol.ts';
import type { Inspector } from '../session/createInspector.ts';
import { latest } from '../session/inspectorStore.ts';

/** The rows that are fetched begin and end at multiples of this number. */
const ROWS_PER_PAGE = 100;

interface RowRange {
  readonly first: number;
  readonly last: number;
  readonly version: number;
}

/**
 * Returns rows `first` to `last` of the filtered list of an inspector; `undefined` for rows that have not been fetched yet. The former rows remain
 * until the new ones have arrived: their elements remain, also under a click.
 */
export function useRows({ client, fail }: Inspector, { first, last, version }: RowRange) {
  const [fetched, setFetched] = useState<{ readonly from: number; readonly rows: readonly StepRow[] }>();
  const fetchRows = useMemo(
    () =>
      latest<{ from: number; to: number; version: number }>(
        async ({ from, to }) => setFetched({ from, rows: await client.request('rows', { from, to }) }),
        fail,
      ),
    [client, fail],
  );
  const start = Math.floor(first / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  const end = Math.ceil(last / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  useEffect(() => {
    if (end > start) fetchRows({ from: start, to: end, version });
  }, [fetchRows, start, end, version]);
  return (index: number): StepRow | undefined => fetched?.rows[index - fetched.from];
}
