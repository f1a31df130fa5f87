import { useRef, useState, type KeyboardEvent, type ReactNode, useId, type PointerEvent } from 'react';
import { CompareWith, DiffPane } from '../panes/DiffPane.tsx';
import { HistoryPane } from '../panes/HistoryPane.tsx';
import { StatePane } from '../panes/StatePane.tsx';
import { WirePane } from '../panes/WirePane.tsx';
import { AppPane } from '../picture/AppPane.tsx';
import { ConversationPane } from '../picture/ConversationPane.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { StepsPane } from '../steps/StepsPane.tsx';
import { TimelinePane } from '../timeline/TimelinePane.tsx';
import { FrameActions } from '../whatif/FrameActions.tsx';
import { WhatIfPane } from '../whatif/WhatIfPane.tsx';
import { useSize } from '../parts/useSize.ts';
import { ControlBar } from './ControlBar.tsx';

/** Returns a share of the width of the page, in pixels, between two limits. */
const widthOf = (share: number, min: number, max: number) =>
  Math.round(Math.min(max, Math.max(min, innerWidth * share)));

/** Shows the panes of a session. */
export function Workspace() {
  const [steps, setSteps] = useState(() => widthOf(0.38, 360, 620));
  const [picture, setPicture] = useState(() => widthOf(0.29, 280, 460));
  const app = useInspectorState((state) => shownInfo(state)?.app);
  // In a narrow window each pane keeps its minimum width.
  const gridTemplateColumns = `minmax(17rem, ${steps}px) auto minmax(17rem, 1fr) auto minmax(15rem, ${picture}px)`;
  return (
    <div className="workspace">
      <TimelinePane />
      <ControlBar />
      <div className="panes" style={{ gridTemplateColumns }}>
        <StepsPane />
        <Splitter name="Width of the step list" size={steps} range={[280, 900]} onSize={setSteps} />
        <Middle />
        <Splitter
          name={`Width of the ${app === undefined ? 'conversation' : 'app'}`}
          direction={-1}
          size={picture}
          range={[240, 800]}
          onSize={setPicture}
        />
        {app === undefined ? <ConversationPane /> : <AppPane app={app} />}
      </div>
    </div>
  );
}

const STATE_TABS = [
  ['changes', 'Changes'],
  ['state', 'State'],
] as const;

function Middle() {
  const { store } = useInspector();
  const frameTab = useInspectorState((state) => state.frameTab);
  const edits = useInspectorState((state) => state.edits.length);
  const [tab, setTab] = useState<'changes' | 'state'>('changes');
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const { height } = useSize(middle?.firstElementChild);
  /** The chosen height of the state; without one, it is that of its content. */
  const [upper, setUpper] = useState<number>();
  const rows = upper !== undefined && { gridTemplateRows: `${upper}px auto minmax(8rem, 1fr)` };
  return (
    <div
      ref={setMiddle}
      className="middle"
      data-fits={upper === undefined ? tab : undefined}
      style={{ ...rows }}
    >
      <Tabs
        name="State"
        tabs={STATE_TABS}
        chosen={tab}
        onChoose={setTab}
        tools={<div className="tools">{tab === 'changes' && <CompareWith />}</div>}
      >
        {tab === 'changes' ? <DiffPane /> : <StatePane />}
      </Tabs>
      <Splitter
        name="Height of the state"
        orientation="horizontal"
        size={upper ?? Math.round(height)}
        range={[120, 700]}
        onSize={setUpper}
      />
      <Tabs
        name="Frame"
        tabs={[
          ['wire', 'Wire'],
          ['history', 'History'],
          ['what-if', edits === 0 ? 'What if' : `What if (${edits})`],
        ]}
        chosen={frameTab}
        onChoose={(to) => store.set({ frameTab: to })}
        tools={<FrameActions />}
      >
        {frameTab === 'wire' && <WirePane />}
        {frameTab === 'history' && <HistoryPane />}
        {frameTab === 'what-if' && <WhatIfPane />}
      </Tabs>
    </div>
  );
}

interface TabsProps<T extends string> {
  readonly name: string;
  readonly tabs: readonly (readonly [tab: T, label: string])[];
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  /** Content beside the tabs. */
  readonly tools: ReactNode;
  readonly children: ReactNode;
}

/** Shows a pane with tabs; only the selected tab's content is rendered. */
function Tabs<T extends string>({ name, tabs, chosen, onChoose, tools, children }: TabsProps<T>) {
  const id = useId();
  return (
    <section className="pane" aria-label={name}>
      <header className="pane-head">
        <div className="tabs" role="tablist" tabIndex={-1} aria-label={name} onKeyDown={walk}>
          {tabs.map(([tab, label]) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`${id}-${tab}`}
              aria-selected={tab === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab === chosen ? 0 : -1}
              onClick={() => onChoose(tab)}
            >
              {label}
            </button>
          ))}
        </div>
        {tools}
      </header>
      <div id={`${id}-panel`} className="pane-body" role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </section>
  );
}

/** Moves to the next or the previous tab with the arrow keys. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
  event.stopPropagation();
  const tabs = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]'));
  const at = tabs.findIndex((tab) => tab.ariaSelected === 'true');
  const other = tabs.at((at + (event.key === 'ArrowRight' ? 1 : -1)) % tabs.length);
  other?.focus();
  other?.click();
}

interface SplitterProps {
  readonly name: string;
  /** The orientation of the line between the panes. */
  readonly orientation?: 'vertical' | 'horizontal';
  /** The size of the resized pane, in pixels. */
  readonly size: number;
  readonly range: readonly [min: number, max: number];
  /** 1: a move to the right (or down) enlarges the pane; -1: it reduces it. */
  readonly direction?: 1 | -1;
  readonly onSize: (size: number) => void;
}

/** The distance by which a key moves the line, in pixels. */
const KEY_STEP = 24;

/** Shows the line between two panes, which the pointer and the arrow keys move. */
function Splitter({ name, orientation = 'vertical', size, range, direction = 1, onSize }: SplitterProps) {
  const [min, max] = range;
  const [less, more, axis] =
    orientation === 'vertical'
      ? (['ArrowLeft', 'ArrowRight', 'clientX'] as const)
      : (['ArrowUp', 'ArrowDown', 'clientY'] as const);
  const held = useRef({ at: 0, size });
  const resize = (from: number, by: number) =>
    onSize(Math.round(Math.min(max, Math.max(min, from + by * direction))));
  const hold = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    held.current = { at: event[axis], size };
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const { at, size: from } = held.current;
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(from, event[axis] - at);
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    resize(size, event.key === more ? KEY_STEP : -KEY_STEP);
  };
  return (
    // A separator with a value is a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className="splitter"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-label={name}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={hold}
      onPointerMove={move}
      onKeyDown={key}
    />
  );
}
