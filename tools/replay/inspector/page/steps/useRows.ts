import { useEffect, useMemo, useReducer, useRef } from 'react';
import type { StepRow } from '../../protocol/protocol.ts';
import { useInspector } from '../session/InspectorContext.ts';
import type { Inspector } from '../session/createInspector.ts';

/** The number of rows in a page, which is fetched at once. */
const ROWS_PER_PAGE = 100;
/** The number of cached pages. */
const CACHED_PAGES = 50;

/** The fetched rows of one version of the list. */
interface Pages {
  readonly rows: Map<number, readonly StepRow[]>;
  readonly asked: Set<number>;
}

interface RowRange {
  readonly first: number;
  readonly last: number;
  readonly version: number;
}

/**
 * Returns rows `first` to `last` of the filtered list; `undefined` for rows that have not been fetched yet. When the list changes, a page keeps
 * its former rows until the new ones have arrived: their elements remain, also under a click.
 */
export const useRows = (
  first: number,
  last: number,
  version: number,
): ((index: number) => StepRow | undefined) => useRowsOf(useInspector(), { first, last, version });

/** Does the same as {@link useRows} for the list of an inspector. */
export function useRowsOf(
  { client, fail }: Pick<Inspector, 'client' | 'fail'>,
  { first, last, version }: RowRange,
): (index: number) => StepRow | undefined {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const former = useRef<Pages['rows']>(new Map());
  // Created for each version, because each list has rows of its own.
  // oxlint-disable-next-line react/exhaustive-deps
  const pages = useMemo<Pages>(() => ({ rows: new Map(), asked: new Set() }), [version]);

  useEffect(() => {
    const fetchPage = async (page: number) => {
      pages.asked.add(page);
      const rows = await client.request('rows', {
        from: page * ROWS_PER_PAGE,
        to: (page + 1) * ROWS_PER_PAGE,
      });
      pages.rows.set(page, rows);
      evictOldest(pages);
      former.current = pages.rows;
      redraw();
    };
    for (let page = Math.floor(first / ROWS_PER_PAGE); page * ROWS_PER_PAGE < last; page++)
      if (!pages.asked.has(page)) fetchPage(page).catch(fail);
  }, [client, fail, first, last, pages]);

  return (index) => {
    const page = Math.floor(index / ROWS_PER_PAGE);
    return (pages.rows.get(page) ?? former.current.get(page))?.[index % ROWS_PER_PAGE];
  };
}

function evictOldest({ rows, asked }: Pages): void {
  const [oldest] = rows.keys();
  if (rows.size <= CACHED_PAGES || oldest === undefined) return;
  rows.delete(oldest);
  asked.delete(oldest);
}
