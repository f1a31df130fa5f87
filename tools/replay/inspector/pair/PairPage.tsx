import { useEffect, useState } from 'react';
import { Changes } from '../page/panes/DiffPane.tsx';
import { IconButton, TextButton } from '../page/parts/controls.tsx';
import { KeysDialog, type ShownKey } from '../page/parts/ModalDialog.tsx';
import type { Inspector } from '../page/session/createInspector.ts';
import { InspectorContext } from '../page/session/InspectorContext.ts';
import { useSelected } from '../page/session/inspectorStore.ts';
import { TopBar } from '../page/shell/Header.tsx';
import { TimelinePane } from '../page/timeline/TimelinePane.tsx';
import { AlignedGrid } from './AlignedGrid.tsx';
import type { Side } from './alignSteps.ts';
import type { Pair, PairState } from './createPair.ts';

interface Props {
  readonly pair: Pair;
  readonly title: string;
  /** What the page calls each session. */
  readonly labels: Readonly<Record<Side, string>>;
}

/** Shows two sessions side by side. */
export function PairPage({ pair, title, labels }: Props) {
  const { rows, error } = useSelected(pair.store, (state) => state);
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => {
    // An open dialog handles its keys itself, wherever the focus is.
    if (showsKeys) return undefined;
    const onKeyDown = (event: KeyboardEvent) => pairKey(pair, event, () => setShowsKeys(true));
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [pair, showsKeys]);
  return (
    <div className="inspector pair" data-phase={rows ? 'ready' : 'loading'}>
      <InspectorContext value={pair.sides.a}>
        <TopBar name={title} onKeys={() => setShowsKeys(true)}>
          <span className="spring" />
        </TopBar>
      </InspectorContext>
      <main>
        {rows ? (
          <div className="workspace pair-workspace">
            <SideTimeline pair={pair} side="a" label={labels.a} />
            <SideTimeline pair={pair} side="b" label={labels.b} />
            <PairBar pair={pair} />
            <div className="panes pair-panes">
              <AlignedGrid pair={pair} labels={labels} />
              <PairDifferences pair={pair} labels={labels} />
            </div>
          </div>
        ) : (
          <div className="welcome">
            <Loading inspector={pair.sides.a} label={labels.a} />
            <Loading inspector={pair.sides.b} label={labels.b} />
          </div>
        )}
      </main>
      <footer className="foot">
        <output className="notice error">{error}</output>
      </footer>
      {showsKeys && <KeysDialog keys={{ 'Both sessions': KEYS }} onClose={() => setShowsKeys(false)} />}
    </div>
  );
}

function SideTimeline({ pair, side, label }: { pair: Pair; side: Side; label: string }) {
  const { rows, divergence } = useSelected(pair.store, (state) => state);
  const step = divergence.kind === 'found' ? rows?.stepAt(side, divergence.row) : undefined;
  return (
    <div className="pair-side">
      <h2>{label}</h2>
      <InspectorContext value={pair.sides[side]}>
        <TimelinePane name={`Timeline of ${label}`} markedStep={step} />
      </InspectorContext>
    </div>
  );
}

function Loading({ inspector, label }: { readonly inspector: Inspector; readonly label: string }) {
  const phase = useSelected(inspector.store, (state) => state.phase);
  const isRead = phase.kind === 'ready' && phase.rest === undefined;
  if (phase.kind !== 'failed') return <output>{isRead ? `${label} is read` : `Reading ${label}`}</output>;
  return (
    <div role="alert">
      <h2>{label} could not be opened</h2>
      <p className="error">{phase.text}</p>
    </div>
  );
}

/** Shows the controls that move both sessions, and where their states first differ. */
function PairBar({ pair }: { readonly pair: Pair }) {
  const { row, rows, divergence } = useSelected(pair.store, (state) => state);
  const last = (rows?.count ?? 1) - 1;
  const moves = [
    ['first', 'Before the first step', -Infinity],
    ['previous', 'Previous step', -1],
    ['next', 'Next step', 1],
    ['last', 'Last step', Infinity],
  ] as const;
  return (
    <section className="controls" aria-label="Both sessions">
      <fieldset className="transport" aria-label="Go through the steps of both">
        {moves.map(([icon, name, by]) => (
          <IconButton
            key={icon}
            icon={icon}
            name={name}
            disabled={row === (by < 0 ? 0 : last)}
            onClick={() => pair.by(by)}
          />
        ))}
      </fieldset>
      <output className="position">
        <span>
          Row <strong>{row}</strong> of {last}
        </span>
      </output>
      <output>{describe(divergence, rows)}</output>
      {divergence.kind === 'found' && (
        <TextButton
          className="secondary"
          name="Go to the first difference"
          aria-keyshortcuts="d"
          onClick={pair.goToDivergence}
        />
      )}
    </section>
  );
}

function describe(divergence: PairState['divergence'], rows: PairState['rows']): string {
  if (divergence.kind === 'searching') return 'Comparing the states…';
  if (divergence.kind === 'none') return 'The states are the same at every step.';
  const { row } = divergence;
  return `The states differ from row ${row} on (step ${rows?.stepAt('a', row)} and step ${rows?.stepAt('b', row)}).`;
}

/** Shows how the states at the selected row differ, by path. */
function PairDifferences({ pair, labels }: Omit<Props, 'title'>) {
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

/** The keys that `?` shows. */
const KEYS: readonly ShownKey[] = [
  ['← → ↑ ↓', 'Previous row, next row'],
  ['Page ↑ ↓', 'Ten rows back, ten rows on'],
  ['Home', 'Before the first row'],
  ['End', 'Last row'],
  ['D', 'First row after which the states differ'],
  ['?', 'These shortcuts'],
];

/** The number of rows by which a key moves both sessions, by `KeyboardEvent.key`. */
const MOVES: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowDown: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

/** Moves both sessions by a key, or shows the keys, unless a control has used the key. */
function pairKey(pair: Pair, event: KeyboardEvent, showKeys: () => void): void {
  const { key } = event;
  const isShifted = event.shiftKey && key !== '?';
  if (event.altKey || event.ctrlKey || event.metaKey || isShifted || event.defaultPrevented) return;
  const rows = MOVES[key];
  if (rows !== undefined) pair.by(rows);
  else if (key === 'd') pair.goToDivergence();
  else if (key === '?') showKeys();
  else return;
  event.preventDefault();
}
