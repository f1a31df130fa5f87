import { useEffect, useState } from 'react';
import { IconButton, Icon } from '../page/parts/IconButton.tsx';
import { InspectorContext } from '../page/session/InspectorContext.ts';
import type { Inspector } from '../page/session/createInspector.ts';
import type { Phase } from '../page/session/state.ts';
import { useSelected } from '../page/session/createStore.ts';
import { ThemeButton } from '../page/shell/Header.tsx';
import { KeysDialog } from '../page/parts/ModalDialog.tsx';
import { TimelinePane } from '../page/timeline/TimelinePane.tsx';
import { AlignedGrid } from './AlignedGrid.tsx';
import { PairBar } from './PairBar.tsx';
import { PairDifferences } from './PairDifferences.tsx';
import type { Pair } from './createPair.ts';
import { PAIR_KEYS, pairKey } from './pairKeys.ts';
import type { Side } from './rows.ts';

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
