import { Changes } from '../page/panes/DiffPane.tsx';
import { useSelected } from '../page/session/createStore.ts';
import type { Pair } from './createPair.ts';
import type { Side } from './rows.ts';

interface Props {
  readonly pair: Pair;
  readonly labels: Readonly<Record<Side, string>>;
}

/** Shows how the states at the selected row differ, by path. */
export function PairDifferences({ pair, labels }: Props) {
  const changes = useSelected(pair.store, (state) => state.changes);
  return (
    <section className="pane" aria-label="State">
      <div className="pane-head">
        <h2>State</h2>
        <p className="facts">
          <del>{labels.a}</del> <ins>{labels.b}</ins>
        </p>
      </div>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="scrolled" aria-label="Differences" tabIndex={0}>
        {changes === undefined ? (
          <p className="empty">Comparing…</p>
        ) : (
          <Changes changes={changes} total={changes.length} none="The states are the same after this row." />
        )}
      </section>
    </section>
  );
}
