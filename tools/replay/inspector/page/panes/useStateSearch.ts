import { useEffect, useMemo, useState } from 'react';
import type { Requests } from '../../protocol/requests.ts';
import { latest } from '../session/latest.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

type Found = Requests['searchState']['result'];

/** A search in the state of the selected step. */
export interface StateSearch {
  readonly text: string;
  /** `undefined` without a text, and until the first answer. */
  readonly found: Found | undefined;
  /** The index of the selected match; -1 before the first one is selected. */
  readonly at: number;
  setText(text: string): void;
  /** Selects the next (1) or the previous (-1) match; returns its path. */
  move(by: 1 | -1): string | undefined;
}

/** Searches the state of the selected step for a text. The selected match stays selected at other steps that have it. */
export function useStateSearch(): StateSearch {
  const { client, fail } = useInspector();
  const branch = useInspectorState((state) => state.view?.branch);
  const step = useInspectorState((state) => state.view?.step);
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found>();
  const [selected, setSelected] = useState<string>();
  const search = useMemo(
    () =>
      latest<Requests['searchState']['params']>(
        async (wanted) => setFound(await client.request('searchState', wanted)),
        fail,
      ),
    [client, fail],
  );
  const wanted = text.trim();
  useEffect(() => {
    if (wanted !== '' && branch !== undefined && step !== undefined) search({ branch, step, text: wanted });
  }, [search, branch, step, wanted]);
  const shown = wanted === '' ? undefined : found;
  const at = selected === undefined ? -1 : (shown?.paths.indexOf(selected) ?? -1);
  return {
    text,
    found: shown,
    at,
    setText,
    move(by) {
      const { length } = shown?.paths ?? [];
      const next = at < 0 && by < 0 ? length - 1 : (at + by + length) % Math.max(1, length);
      const path = shown?.paths[next];
      setSelected(path);
      return path;
    },
  };
}
