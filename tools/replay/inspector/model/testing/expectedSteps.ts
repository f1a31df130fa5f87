import { type CaptureRecord, isKnown } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { windowTitle } from '#shared/window/attention.ts';
import { createParleyEngine } from '../../../engine/parley.ts';
import type { StepKind } from '../../protocol/protocol.ts';
import { markedActs } from '../trace/trace.ts';
import type { State } from '../trace/traceState.ts';

/** A step as the engine computes it. */
export interface ExpectedStep {
  readonly kind: StepKind;
  readonly t: number;
  /** From 0. */
  readonly record: number;
  readonly conversation: Conversation;
  readonly rest: Omit<State, 'person' | 'messages' | 'clock'>;
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
    const { conversation, connection, counts, queue, words, ...state } = engine.state();
    const { length, bytes } = queue;
    const attention = { ...state.attention, title: windowTitle(state.attention) };
    const rest = { connection, ...markedActs(state), words, attention, counts, queue: { length, bytes } };
    steps.push({ kind, t, record, conversation, rest });
  };
  add('other', 0, 0);
  let isOver = false;
  for (const [index, record] of records.entries()) {
    if (!isOver) engine.pass(record);
    const isIgnored = isOver;
    if (!isIgnored) isOver = !engine.take(record);
    const kind = kindOf(record);
    if (kind === 'received' && !isIgnored) updates.push(index);
    add(isIgnored ? 'other' : kind, record.t, index);
  }
  if (!isOver) engine.finish();
  return steps;
}

function kindOf(record: CaptureRecord): StepKind {
  if (!isKnown(record)) return 'other';
  if (record.type === 'send') return 'sent';
  if (record.type === 'launch' || record.type === 'release') return 'action';
  if (record.type !== 'recv') return record.type;
  const isRejected = decodeUpdate(record.encoding === 'base64' ? null : record.data).kind === 'rejected';
  return isRejected ? 'rejected' : 'received';
}
