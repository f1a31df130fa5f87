import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { base64Bytes } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../../../engine/frames.ts';
import type { StepRow } from '../../protocol/protocol.ts';
import { notificationText } from '#shared/store/selectors.ts';
import { addedText } from './addedText.ts';
import type { RecordReader } from './lineTable.ts';
import { conversationAfter } from './traceState.ts';
import { type Trace, isChangedAt, stepKindAt, updateKindAt } from './trace.ts';
import { summarizeStep } from './summarizeStep.ts';

/** The record of a step, which the caller has read, and a reader of other records. */
interface StepRecord {
  readonly record: CaptureRecord;
  readonly read: RecordReader;
}

/** Returns a step as a list shows it. */
export function stepRow(trace: Trace, step: number, { record, read }: StepRecord): StepRow {
  const { times, records, updates } = trace.steps;
  const kind = stepKindAt(trace, step);
  const updateKind = updateKindAt(trace, step);
  const t = times.at(step);
  const isTick = isRelease(trace, step);
  return {
    step,
    kind,
    t,
    ...(isTick && { delay: t - record.t, update: updates.at(step) }),
    ...(updateKind && { updateKind }),
    record: records.at(step) + 1,
    ...(isFrameRecord(record) && { bytes: wireBytes(record) }),
    changed: isChangedAt(trace, step),
    summary: summarizeStep(trace, step, { record, effect: effectText(trace, step, read) }),
  };
}

/** Returns what a step showed or added, when that does not follow from its record alone: a notification, or the new part of a text. */
function effectText(trace: Trace, step: number, read: RecordReader): string | undefined {
  const kind = stepKindAt(trace, step);
  const number = trace.steps.updates.at(step);
  if (kind === 'notification') {
    const { title, body } = notificationText(conversationAfter(trace, number));
    return [title, body].filter((part) => part !== '').join(': ');
  }
  return kind === 'applied' && updateKindAt(trace, step) === 'text'
    ? addedText(trace, number, read)
    : undefined;
}

/** Returns whether a step is an update at its tick. */
export const isRelease = ({ steps }: Trace, step: number): boolean =>
  step > 0 && steps.updates.at(step) > steps.updates.at(step - 1);

/** Returns whether a record is a frame, in or out. */
export const isFrameRecord = (record: CaptureRecord): record is FrameRecord =>
  isKnown(record) && (record.type === 'recv' || record.type === 'send');

/** Returns the size of a frame on the wire, in bytes. */
export const wireBytes = (record: FrameRecord): number =>
  record.encoding === 'base64' ? base64Bytes(record.data) : frameBytes(record);
