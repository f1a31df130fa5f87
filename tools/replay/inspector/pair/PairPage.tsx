import { useEffect, useState } from 'react';
import { Changes } from '../page/panes/DiffPane.tsx';
import { Icon, IconButton } from '../page/parts/IconButton.tsx';
import { KeysDialog, type ShownKey } from '../page/parts/ModalDialog.tsx';
import type { Inspector } from '../page/session/createInspector.ts';
import { InspectorContext } from '../page/session/InspectorContext.ts';
import { useSelected } from '../page/session/inspectorStore.ts';
import type { Phase } from '../page/session/inspectorState.ts';
import { ThemeButton } from '../page/shell/Header.tsx';
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
  const isReady = useSelected(pair.store, ({ rows }) => rows !== undefined);
  const error = useSelected(pair.store, (state) => state.error);
  const [showsKeys, setShowsKeys] = useState(false);
  useEffect(() => {
    // An open dialog handles its keys itself, wherever the focus is.
    if (showsKeys) return undefined;
    const onKeyDown = (event: KeyboardEvent) => pairKey(pair, event, () => setShowsKeys(true));
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [pair, showsKeys]);
  return (
    <div className="inspector pair" data-phase={isReady ? 'ready' : 'loading'}>
      <header className="top">
        <h1>
          <Icon name="brand" />
          Inspector
        </h1>
        <p className="capture-name">{title}</p>
        <span className="spring" />
        <InspectorContext value={pair.sides.a}>
          <ThemeButton />
        </InspectorContext>
        <IconButton icon="keys" name="Keyboard shortcuts" onClick={() => setShowsKeys(true)} />
      </header>
      <main>
        {isReady ? (
          <div className="pair-workspace">
            <SideTimeline pair={pair} side="a" label={labels.a} />
            <SideTimeline pair={pair} side="b" label={labels.b} />
            <PairBar pair={pair} />
            <div className="pair-panes">
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
      {showsKeys && <KeysDialog keys={PAIR_KEYS} onClose={() => setShowsKeys(false)} />}
    </div>
  );
}

interface SideProps {
  readonly pair: Pair;
  readonly side: Side;
  readonly label: string;
}

function SideTimeline({ pair, side, label }: SideProps) {
  const inspector = pair.sides[side];
  const rows = useSelected(pair.store, (state) => state.rows);
  const divergence = useSelected(pair.store, (state) => state.divergence);
  const step = divergence.kind === 'found' ? rows?.stepAt(side, divergence.row) : undefined;
  return (
    <div className="pair-side">
      <h2>{label}</h2>
      <InspectorContext value={inspector}>
        <TimelinePane name={`Timeline of ${label}`} markedStep={step} />
      </InspectorContext>
    </div>
  );
}

const isRead = (phase: Phase): boolean => phase.kind === 'ready' && phase.rest === undefined;

function Loading({ inspector, label }: { readonly inspector: Inspector; readonly label: string }) {
  const phase = useSelected(inspector.store, (state) => state.phase);
  if (phase.kind !== 'failed')
    return <output>{isRead(phase) ? `${label} is read` : `Reading ${label}`}</output>;
  return (
    <div role="alert">
      <h2>{label} could not be opened</h2>
      <p className="error">{phase.text}</p>
    </div>
  );
}

/** Shows the controls that move both sessions, and where their states first differ. */
function PairBar({ pair }: { readonly pair: Pair }) {
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

interface DifferencesProps {
  readonly pair: Pair;
  readonly labels: Readonly<Record<Side, string>>;
}

/** Shows how the states at the selected row differ, by path. */
function PairDifferences({ pair, labels }: DifferencesProps) {
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

/** Some keys of the page with one purpose. */
interface PairKeys extends ShownKey {
  /** What each key does, by `KeyboardEvent.key`. */
  readonly moves: Readonly<Record<string, (pair: Pair, showKeys: () => void) => void>>;
}

const LIST: readonly PairKeys[] = [
  {
    shown: '← → ↑ ↓',
    description: 'Previous row, next row',
    moves: {
      ArrowLeft: (pair) => pair.by(-1),
      ArrowRight: (pair) => pair.by(1),
      ArrowUp: (pair) => pair.by(-1),
      ArrowDown: (pair) => pair.by(1),
    },
  },
  {
    shown: 'Page ↑ ↓',
    description: 'Ten rows back, ten rows on',
    moves: { PageUp: (pair) => pair.by(-10), PageDown: (pair) => pair.by(10) },
  },
  { shown: 'Home', description: 'Before the first row', moves: { Home: (pair) => pair.go(0) } },
  { shown: 'End', description: 'Last row', moves: { End: (pair) => pair.by(Infinity) } },
  {
    shown: 'D',
    description: 'First row after which the states differ',
    moves: { d: (pair) => pair.goToDivergence() },
  },
  { shown: '?', description: 'These shortcuts', moves: { '?': (_, showKeys) => showKeys() } },
];

/** The keys that `?` shows, by purpose. */
const PAIR_KEYS: Readonly<Record<string, readonly ShownKey[]>> = { 'Both sessions': LIST };

const MOVES: PairKeys['moves'] = Object.fromEntries(LIST.flatMap(({ moves }) => Object.entries(moves)));

/** Moves both sessions by a key, or shows the keys, unless a control has used the key. */
function pairKey(pair: Pair, event: KeyboardEvent, showKeys: () => void): void {
  const move = MOVES[event.key];
  const isShifted = event.shiftKey && event.key !== '?';
  const isModified = event.altKey || event.ctrlKey || event.metaKey || isShifted;
  if (move === undefined || isModified || event.defaultPrevented) return;
  event.preventDefault();
  move(pair, showKeys);
}
