import { IconButton } from '../page/parts/IconButton.tsx';
import { useSelected } from '../page/session/createStore.ts';
import type { Pair, PairState } from './createPair.ts';

/** Shows the controls that move both sessions, and where their states first differ. */
export function PairBar({ pair }: { readonly pair: Pair }) {
  const row = useSelected(pair.store, (state) => state.row);
  const rows = useSelected(pair.store, (state) => state.rows);
  const divergence = useSelected(pair.store, (state) => state.divergence);
  const last = (rows?.count ?? 1) - 1;
  return (
    <section className="controls" aria-label="Both sessions">
      <fieldset className="transport" aria-label="Go through the steps of both">
        <IconButton
          icon="first"
          name="Before the first step"
          disabled={row === 0}
          onClick={() => pair.go(0)}
        />
        <IconButton icon="previous" name="Previous step" disabled={row === 0} onClick={() => pair.by(-1)} />
        <IconButton icon="next" name="Next step" disabled={row === last} onClick={() => pair.by(1)} />
        <IconButton icon="last" name="Last step" disabled={row === last} onClick={() => pair.by(Infinity)} />
      </fieldset>
      <output className="position">
        <span>
          Row <strong>{row}</strong> of {last}
        </span>
      </output>
      <output className="pair-divergence">{describe(divergence, rows)}</output>
      {divergence.kind === 'found' && (
        <button type="button" className="secondary" aria-keyshortcuts="d" onClick={pair.goToDivergence}>
          Go to the first difference
        </button>
      )}
    </section>
  );
}

function describe(divergence: PairState['divergence'], rows: PairState['rows']): string {
  switch (divergence.kind) {
    case 'searching':
      return 'Comparing the states…';
    case 'none':
      return 'The states are the same at every step.';
    case 'found':
      return `The states differ from row ${divergence.row} on (step ${rows?.stepAt('a', divergence.row)} and step ${rows?.stepAt('b', divergence.row)}).`;
    default:
      return divergence satisfies never;
  }
}
