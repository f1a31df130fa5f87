import type { CaptureHeader } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { RejectReason } from '#shared/protocol/decodeUpdate.ts';
import type { UpdateKind } from '#shared/protocol/update.ts';
import { type ConnectionState, connectionReducer } from '#shared/store/connection.ts';
import { STEP_KINDS, type StepKind } from '../protocol.ts';
import { type Growing, growing } from './growing.ts';
import { type LineTable, lineTable } from './lineTable.ts';

/** So many updates lie between two conversations that are kept. Each costs the path to what differs, a seek half of them. */
export const CHECKPOINT_UPDATES = 256;

/** A new state of the connection. */
export interface ConnectionMark {
  readonly step: number;
  readonly t: number;
  readonly state: ConnectionState;
}

/** The steps, a column for each field; row 0 is the beginning. Records count from 0. */
export interface StepTable {
  /** The number of its {@link StepKind}, and {@link CHANGED} where it changed something. */
  readonly kinds: Growing;
  /** The number of its {@link UpdateKind}, from 1; 0 where there is none. */
  readonly updateKinds: Growing;
  readonly times: Growing;
  readonly records: Growing;
  /** How many updates had been released. */
  readonly updates: Growing;
  /** How many waited. */
  readonly queue: Growing;
}

/** A course of events: a capture's records folded, with what it takes to come back to any of its steps. */
export interface Course {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly headerLine: string;
  readonly lines: LineTable;
  readonly steps: StepTable;
  /** The step of each record. */
  readonly recordSteps: Growing;
  /** The record of each update, and how many bytes the updates before it and it weigh. */
  readonly updateRecords: Growing;
  readonly updateBytes: Growing;
  /** The conversation after each so many updates. */
  readonly checkpoints: Conversation[];
  readonly connections: ConnectionMark[];
  /** The steps at which each of these happened. */
  readonly received: Growing;
  readonly sent: Growing;
  readonly dropped: Growing;
  readonly ignored: Growing;
  /** The steps at which a frame was rejected, by why. */
  readonly rejected: Map<RejectReason, Growing>;
  readonly warnings: string[];
  /** The record after which the session was over. */
  endedAt: number | undefined;
}

export interface CourseStart {
  readonly name: string;
  readonly header: CaptureHeader;
  readonly headerLine: string;
}

/** A course before its first step. */
export function emptyCourse({ name, header, headerLine }: CourseStart): Course {
  const steps = {
    kinds: growing('byte'),
    updateKinds: growing('byte'),
    times: growing('number'),
    records: growing('whole'),
    updates: growing('whole'),
    queue: growing('whole'),
  };
  for (const column of Object.values(steps)) column.push(0);
  steps.kinds.truncate(0);
  steps.kinds.push(STEP_NUMBER.other);
  return {
    name,
    header,
    headerLine,
    lines: lineTable(),
    steps,
    recordSteps: growing('whole'),
    updateRecords: growing('whole'),
    updateBytes: growing('number'),
    checkpoints: [],
    connections: [{ step: 0, t: 0, state: connectionReducer(undefined, { type: '' }) }],
    received: growing('whole'),
    sent: growing('whole'),
    dropped: growing('whole'),
    ignored: growing('whole'),
    rejected: new Map(),
    warnings: [],
    endedAt: undefined,
  };
}

/** The number of the last step. */
export const lastStep = ({ steps }: Course): number => steps.kinds.length - 1;

export const CHANGED = 0x80;

const UPDATE_KINDS: readonly UpdateKind[] = [
  'snapshot',
  'name',
  'message',
  'content',
  'context',
  'text',
  'notification',
];

const numbersOf = <T extends string>(names: readonly T[], first: number): Record<T, number> => {
  const entries = names.map((name, i) => [name, i + first] as const);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(entries) as Record<T, number>;
};

/** The number that stands for a kind of step in its column. */
export const STEP_NUMBER = numbersOf(STEP_KINDS, 0);
/** The number that stands for a kind of update in its column. */
export const UPDATE_NUMBER = numbersOf(UPDATE_KINDS, 1);

export const stepKindAt = ({ steps }: Course, step: number): StepKind =>
  STEP_KINDS[steps.kinds.at(step) & ~CHANGED] ?? 'other';

export const updateKindAt = ({ steps }: Course, step: number): UpdateKind | undefined =>
  UPDATE_KINDS[steps.updateKinds.at(step) - 1];

export const isChangedAt = ({ steps }: Course, step: number): boolean =>
  (steps.kinds.at(step) & CHANGED) !== 0;
