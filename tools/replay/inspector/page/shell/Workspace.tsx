import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ControlBar } from '../controls/ControlBar.tsx';
import { AppPane } from '../app/AppPane.tsx';
import { CompareWith } from '../panes/CompareWith.tsx';
import { ConversationPane } from '../panes/ConversationPane.tsx';
import { DiffPane } from '../panes/DiffPane.tsx';
import { StatePane } from '../panes/StatePane.tsx';
import { WirePane } from '../panes/WirePane.tsx';
import { Splitter } from '../parts/Splitter.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { StepsPane } from '../steps/StepsPane.tsx';
import { TimelinePane } from '../timeline/TimelinePane.tsx';
import { type Draft, EditingContext } from '../whatif/EditingContext.ts';
import { FrameActions } from '../whatif/FrameActions.tsx';
import { WhatIfPane } from '../whatif/WhatIfPane.tsx';
import { useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/state.ts';

/** The sizes of the panes, in pixels: the widths of the list and the conversation, and the height of the state, which is that of its content within limits until it is chosen. */
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
  const middle = useRef<HTMLDivElement>(null);
  const height = useFirstHeight(middle);
  const rows = upper !== undefined && { gridTemplateRows: `${upper}px auto minmax(8rem, 1fr)` };
  return (
    <div
      ref={middle}
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
        size={upper ?? height}
        min={120}
        max={700}
        onSize={onUpper}
      />
      <WireOrWhatIf />
    </div>
  );
}

/** Returns the height of the first child of an element, in pixels. */
function useFirstHeight(parent: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const child = parent.current?.firstElementChild ?? undefined;
    if (child === undefined) return undefined;
    const sizes = new ResizeObserver(() => setHeight(Math.round(child.getBoundingClientRect().height)));
    sizes.observe(child);
    return () => sizes.disconnect();
  }, [parent]);
  return height;
}

function WireOrWhatIf() {
  const [tab, setTab] = useState<'wire' | 'what-if'>('wire');
  const [draft, setDraft] = useState<Draft>();
  const edits = useInspectorState((state) => state.edits.length);
  const editing = useMemo(
    () => ({
      draft,
      setDraft: (to: Draft | undefined) => {
        setDraft(to);
        setTab('what-if');
      },
    }),
    [draft],
  );
  const tabs = [
    { id: 'wire', label: 'Wire' },
    { id: 'what-if', label: edits === 0 ? 'What if' : `What if (${edits})` },
  ] as const;
  return (
    <EditingContext value={editing}>
      <Tabs name="Frame" tabs={tabs} chosen={tab} onChoose={setTab} tools={<FrameActions />}>
        {tab === 'wire' ? <WirePane /> : <WhatIfPane />}
      </Tabs>
    </EditingContext>
  );
}
