import { type ActsState, initialActs } from '#shared/capture/actsState.ts';
import type { CaptureHeader } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Word } from '#shared/conversation/words.ts';
import { DISCRIMINATORS, type UpdateKind } from '#shared/protocol/update.ts';
import type { Arrivals } from '#shared/store/arrivals.ts';
import type { ConnectionState } from '#shared/store/connection.ts';
import { STEP_KINDS, type StepKind } from '../../protocol/protocol.ts';
import type { AppTrace } from './appTrace.ts';
import { type GrowableColumn, growableColumn } from './growableColumn.ts';
import { type LineTable, lineTable } from './lineTable.ts';

/** The number of updates between two stored conversations. Each costs memory for its changes; a jump applies half as many. */
export const CHECKPOINT_UPDATES = 256;

/** A new state of the connection. */
export interface ConnectionMark {
  readonly step: number;
  readonly t: number;
  readonly state: ConnectionState;
}

type MarkedActs = Omit<ActsState, 'connection'>;

/**
 * A new state of the slices that follow from actions. The connection has marks of its own. Updates change only the number of unread
 * messages of `attention`: {@link Trace.unread} contains their steps.
 */
export interface ActsMark extends MarkedActs {
  readonly step: number;
  /** The time of the launch; 0 before it. */
  readonly launchedAt: number;
}

/** The steps, one column for each field; row 0 is the initial state. Records count from 0. */
interface StepTable {
  /** The number of its {@link StepKind}, with {@link CHANGED} when it changed something. */
  readonly kinds: GrowableColumn;
  /** The number of its kind of update, or of that in {@link AppTrace}, from 1; 0 when it has none. */
  readonly updateKinds: GrowableColumn;
  readonly times: GrowableColumn;
  readonly records: GrowableColumn;
  /** The number of released updates. */
  readonly updates: GrowableColumn;
  /** The number of waiting updates. */
  readonly queue: GrowableColumn;
}

/** The trace of a capture, with what is needed to compute the state after any step. */
export interface Trace {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly headerLine: string;
  /** What the trace of another app has; `undefined` in a trace of Parley. */
  readonly app: AppTrace | undefined;
  readonly lines: LineTable;
  readonly steps: StepTable;
  /** The step of each record. */
  readonly recordSteps: GrowableColumn;
  /** The record of each update, and the total bytes of the updates up to and including it. */
  readonly updateRecords: GrowableColumn;
  readonly updateBytes: GrowableColumn;
  /** The conversation after every {@link CHECKPOINT_UPDATES} updates. */
  readonly checkpoints: Conversation[];
  readonly connections: ConnectionMark[];
  readonly acts: ActsMark[];
  /** The steps at which each of these happened. */
  readonly received: GrowableColumn;
  readonly sent: GrowableColumn;
  readonly dropped: GrowableColumn;
  readonly ignored: GrowableColumn;
  readonly notified: GrowableColumn;
  /** The steps of messages that were unread. */
  readonly unread: GrowableColumn;
  /** The steps of applied messages. */
  readonly messages: GrowableColumn;
  /** The steps of applied snapshots, the arrivals after each of them, and its words. */
  readonly snapshots: GrowableColumn;
  readonly snapshotArrivals: Arrivals[];
  readonly snapshotWords: (readonly Word[])[];
  /** The steps of errors: rejected frames, and closes without a sign-out. */
  readonly errors: GrowableColumn;
  /** The steps at which a frame was rejected, by reason. */
  readonly rejected: Map<string, GrowableColumn>;
  readonly warnings: string[];
  /** The step of the `launch` record; without one, the capture starts at the launch. */
  launchStep: number | undefined;
  /** The record that ended the session. */
  endedAt: number | undefined;
}

/** The name and the header of a capture. */
interface TraceStart {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly headerLine: string;
  readonly app?: AppTrace | undefined;
}

/** Returns the slices of which a trace has marks. */
export const markedActs = ({
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
}: MarkedActs): MarkedActs => ({
  wasConnected,
  backlog,
  audio,
  preferences,
  attention,
  windows,
});

/** Creates a trace before its first step. */
export function emptyTrace({ name, header, headerLine, app }: TraceStart): Trace {
  const steps = {
    kinds: growableColumn('byte'),
    // An app can have more kinds than fit into a byte.
    updateKinds: growableColumn(app === undefined ? 'byte' : 'whole'),
    times: growableColumn('number'),
    records: growableColumn('whole'),
    updates: growableColumn('whole'),
    queue: growableColumn('whole'),
  };
  for (const column of Object.values(steps)) column.push(0);
  steps.kinds.truncate(0);
  steps.kinds.push(STEP_NUMBER.other);
  return {
    name,
    header,
    headerLine,
    app,
    lines: lineTable(),
    steps,
    recordSteps: growableColumn('whole'),
    updateRecords: growableColumn('whole'),
    updateBytes: growableColumn('number'),
    checkpoints: [],
    connections: [{ step: 0, t: 0, state: initialActs.connection }],
    acts: [{ step: 0, launchedAt: 0, ...markedActs(initialActs) }],
    received: growableColumn('whole'),
    sent: growableColumn('whole'),
    dropped: growableColumn('whole'),
    ignored: growableColumn('whole'),
    notified: growableColumn('whole'),
    unread: growableColumn('whole'),
    messages: growableColumn('whole'),
    snapshots: growableColumn('whole'),
    snapshotArrivals: [],
    snapshotWords: [],
    errors: growableColumn('whole'),
    rejected: new Map(),
    warnings: [],
    launchStep: undefined,
    endedAt: undefined,
  };
}

/** Returns the number of the last step. */
export const lastStep = ({ steps }: Trace): number => steps.kinds.length - 1;

/** The bit of a step that changed the conversation, the connection, or what the window showed beside them. */
export const CHANGED = 0x80;

const numbersOf = <T extends string>(names: readonly T[], first: number): Record<T, number> => {
  const entries = names.map((name, i) => [name, i + first] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Record<T, number>;
};

/** The kinds of updates, in the order of spec §6.1. */
const UPDATE_KINDS: readonly UpdateKind[] = [...DISCRIMINATORS.map(([kind]) => kind), 'notification'];

/** The number of each step kind in its column. */
export const STEP_NUMBER = numbersOf(STEP_KINDS, 0);
/** The number of each update kind in its column. */
export const UPDATE_NUMBER = numbersOf(UPDATE_KINDS, 1);

/** Returns the kind of a step. */
export const stepKindAt = ({ steps }: Trace, step: number): StepKind =>
  STEP_KINDS[steps.kinds.at(step) & ~CHANGED] ?? 'other';

/** Returns the kind of the update of a step; `undefined` when it has none. */
export const updateKindAt = ({ steps, app }: Trace, step: number): string | undefined =>
  (app?.kinds ?? UPDATE_KINDS)[steps.updateKinds.at(step) - 1];

/** Returns whether a step changed the conversation, the connection, or what the window showed beside them. */
export const isChangedAt = ({ steps }: Trace, step: number): boolean =>
  (steps.kinds.at(step) & CHANGED) !== 0;
