import type { StepRow } from '../../protocol/protocol.ts';
import type { Inspector } from '../session/createInspector.ts';
import { useLoaded } from '../session/useLoaded.ts';

/** The rows that are fetched begin and end at multiples of this number. */
const ROWS_PER_PAGE = 100;

/**
 * Returns rows `first` to `last` of the filtered list of an inspector; `undefined` for rows that have not been fetched yet. The former rows remain
 * until the new ones have arrived: their elements remain, also under a click.
 */
export function useRows(
  inspector: Inspector,
  { first, last, version }: Record<'first' | 'last' | 'version', number>,
) {
  const from = Math.floor(first / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  const to = Math.ceil(last / ROWS_PER_PAGE) * ROWS_PER_PAGE;
  const load = async () => ({ from, rows: await inspector.client.request('rows', { from, to }) });
  const fetched = useLoaded(inspector, load, [from, to, version]);
  return (index: number): StepRow | undefined => fetched?.rows[index - fetched.from];
}
