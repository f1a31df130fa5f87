import { useState, type KeyboardEvent, type ReactNode, useId, type PointerEvent } from 'react';
import { CompareWith, DiffPane } from '../panes/DiffPane.tsx';
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

/** The sizes of the panes, in pixels: two widths, and the height of the state, which is that of its content until the person chooses one. */
interface Sizes {
  readonly steps: number;
  readonly conversation: number;
  readonly upper: number | undefined;
}

/** Returns the initial sizes for the size of the window. */
function initialSizes(): Sizes {
  const { innerWidth: width } = window;
  return {
    steps: Math.round(Math.min(620, Math.max(360, width * 0.38))),
    conversation: Math.round(Math.min(460, Math.max(280, width * 0.29))),
    upper: undefined,
  };
}

/** Returns the widths of the columns; in a narrow window each pane keeps its minimum width. */
const columnsOf = ({ steps, conversation }: Sizes) =>
  `minmax(17rem, ${steps}px) auto minmax(17rem, 1fr) auto minmax(15rem, ${conversation}px)`;

/** Shows the panes of a session. */
export function Workspace() {
  const [sizes, setSizes] = useState(initialSizes);
  const app = useInspectorState((state) => shownInfo(state)?.app);
  return (
    <div className="workspace">
      <TimelinePane />
      <ControlBar />
      <div className="panes" style={{ gridTemplateColumns: columnsOf(sizes) }}>
        <StepsPane />
        <Splitter
          name="Width of the step list"
          orientation="vertical"
          direction={1}
          size={sizes.steps}
          min={280}
          max={900}
          onSize={(steps) => setSizes({ ...sizes, steps })}
        />
        <Middle upper={sizes.upper} onUpper={(upper) => setSizes({ ...sizes, upper })} />
        <Splitter
          name={`Width of the ${app === undefined ? 'conversation' : 'app'}`}
          orientation="vertical"
          direction={-1}
          size={sizes.conversation}
          min={240}
          max={800}
          onSize={(conversation) => setSizes({ ...sizes, conversation })}
        />
        {app === undefined ? <ConversationPane /> : <AppPane app={app} />}
      </div>
    </div>
  );
}

const STATE_TABS = [
  { id: 'changes', label: 'Changes' },
  { id: 'state', label: 'State' },
] as const;

interface MiddleProps {
  readonly upper: number | undefined;
  readonly onUpper: (size: number) => void;
}

function Middle({ upper, onUpper }: MiddleProps) {
  const [tab, setTab] = useState<'changes' | 'state'>('changes');
  const [middle, setMiddle] = useState<HTMLElement | null>(null);
  const { height } = useSize(middle?.firstElementChild);
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
        tools={<div className="head-tools">{tab === 'changes' && <CompareWith />}</div>}
      >
        {tab === 'changes' ? <DiffPane /> : <StatePane />}
      </Tabs>
      <Splitter
        name="Height of the state"
        orientation="horizontal"
        direction={1}
        size={upper ?? Math.round(height)}
        min={120}
        max={700}
        onSize={onUpper}
      />
      <WireOrWhatIf />
    </div>
  );
}

function WireOrWhatIf() {
  const { store } = useInspector();
  const tab = useInspectorState((state) => state.frameTab);
  const edits = useInspectorState((state) => state.edits.length);
  const tabs = [
    { id: 'wire', label: 'Wire' },
    { id: 'what-if', label: edits === 0 ? 'What if' : `What if (${edits})` },
  ] as const;
  return (
    <Tabs
      name="Frame"
      tabs={tabs}
      chosen={tab}
      onChoose={(frameTab) => store.set({ frameTab })}
      tools={<FrameActions />}
    >
      {tab === 'wire' ? <WirePane /> : <WhatIfPane />}
    </Tabs>
  );
}

interface Tab<T> {
  readonly id: T;
  readonly label: string;
}

interface TabsProps<T> {
  readonly name: string;
  readonly tabs: readonly Tab<T>[];
  readonly chosen: T;
  readonly onChoose: (tab: T) => void;
  /** Content beside the tabs. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a pane with tabs; only the selected tab's content is rendered. */
function Tabs<T extends string>({ name, tabs, chosen, onChoose, tools, children }: TabsProps<T>) {
  const id = useId();
  return (
    <section className="pane" aria-label={name}>
      <header className="pane-head">
        <div className="tabs" role="tablist" tabIndex={-1} aria-label={name} onKeyDown={walk}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              aria-selected={tab.id === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === chosen ? 0 : -1}
              onClick={() => onChoose(tab.id)}
            >
              {tab.label}
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

/** Moves from tab to tab with the arrow keys. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0) return;
  event.stopPropagation();
  const tabs = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]'));
  const at = tabs.findIndex((tab) => tab === document.activeElement);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

interface SplitterProps {
  readonly name: string;
  /** The orientation of the line between the panes. */
  readonly orientation: 'vertical' | 'horizontal';
  /** The size of the resized pane, in pixels. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** 1: a move to the right (or down) enlarges the pane; -1: it reduces it. */
  readonly direction: 1 | -1;
  readonly onSize: (size: number) => void;
}

/** The distance by which a key moves the line, in pixels. */
const KEY_STEP = 24;

/** Shows the line between two panes, which the pointer and the arrow keys move. */
function Splitter({ name, orientation, size, min, max, direction, onSize }: SplitterProps) {
  const resize = (to: number) => onSize(Math.round(Math.min(max, Math.max(min, to))));
  const position = (event: { clientX: number; clientY: number }) =>
    orientation === 'vertical' ? event.clientX : event.clientY;
  const drag = (down: PointerEvent<HTMLElement>) => {
    const line = down.currentTarget;
    const from = position(down);
    line.setPointerCapture(down.pointerId);
    const move = (event: globalThis.PointerEvent) => resize(size + (position(event) - from) * direction);
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const key = (event: KeyboardEvent) => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    event.stopPropagation();
    resize(size + (event.key === more ? KEY_STEP : -KEY_STEP) * direction);
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
      onPointerDown={drag}
      onKeyDown={key}
    />
  );
}
