import * as fc from 'fast-check';
import { type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { windowTitle } from '#shared/store/openWindows.ts';
import { type ReplayState, createParleyEngine } from '../../../parley/parley.ts';
import type { StepKind } from '../trace/stepKinds.ts';

/** A step as the engine computes it. */
export interface ExpectedStep {
  readonly kind: StepKind;
  readonly t: number;
  /** From 0. */
  readonly record: number;
  readonly conversation: Conversation;
  readonly rest: ReturnType<typeof restOf>;
}

/** Returns the state without the conversation, as the tree shows it. */
export function restOf(state: ReplayState) {
  const { connection, wasConnected, backlog, audio, preferences, windows, words, counts } = state;
  const attention = { ...state.attention, title: windowTitle(state.attention) };
  const { length, bytes } = state.queue;
  const slices = { connection, wasConnected, backlog, audio, preferences, attention, windows, words, counts };
  return { ...slices, queue: { length, bytes } };
}

/** Returns the steps of a session, each with the whole state after it; the first is step 0. */
export function expectedSteps(records: readonly CaptureRecord[]): ExpectedStep[] {
  const steps: ExpectedStep[] = [];
  const updates: number[] = [];
  const engine = createParleyEngine({
    onStep: ({ number, tick, effect, update }) => {
      const applied = update.kind === 'notification' ? 'notification' : 'applied';
      add(effect === 'ignored' ? 'ignored' : applied, tick, updates[number - 1] ?? 0);
    },
  });
  const add = (kind: StepKind, t: number, record: number) => {
    const state = engine.state();
    steps.push({ kind, t, record, conversation: state.conversation, rest: restOf(state) });
  };
  add('other', 0, 0);
  let isOver = false;
  for (const [index, record] of records.entries()) {
    if (!isOver) engine.pass(record);
    const kind = isOver ? 'other' : kindOf(record);
    isOver ||= !engine.take(record);
    if (kind === 'received') updates.push(index);
    add(kind, record.t, index);
  }
  if (!isOver) engine.finish();
  return steps;
}

function kindOf(record: CaptureRecord): StepKind {
  if (!isKnown(record) || record.type === 'http' || record.type === 'end') return 'other';
  if (record.type === 'send') return 'sent';
  if (record.type === 'launch' || record.type === 'release') return 'action';
  if (record.type !== 'recv') return record.type;
  const { kind } = decodeUpdate(record.encoding === 'base64' ? null : record.data);
  return kind === 'rejected' ? kind : 'received';
}

const isEnd = (record: CaptureRecord) =>
  record.type === 'action' && 'action' in record && record.action.type === 'session/ended';

/** Returns a record at a later time; the times of a late release count from the launch. */
const laterBy = (ms: number, record: CaptureRecord): CaptureRecord => ({
  ...record,
  t: record.t + ms,
  ...('tick' in record && { due: record.due + ms, tick: record.tick + ms }),
});

/** Generates the records of many sessions in a row without an end: enough of them have checkpoints and intervals. */
export const longRecords = (
  sessions: fc.Arbitrary<CaptureRecord[]>,
  least: number,
): fc.Arbitrary<CaptureRecord[]> =>
  fc
    .array(sessions, { minLength: least, maxLength: least + 10, size: 'max' })
    .map((all) =>
      all.flatMap((records, session) =>
        records.flatMap((record) => (isEnd(record) ? [] : [laterBy(session * 3000, record)])),
      ),
    );
