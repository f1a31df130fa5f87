import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { base64Bytes } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../../../engine/actions.ts';
import type { StepRow } from '../../protocol/protocol.ts';
import { type Trace, isChangedAt, stepKindAt, updateKindAt } from './trace.ts';
import { summarizeStep } from './summarizeStep.ts';

/** Returns a step as a list shows it. @param record the record of the step, which the caller has read. */
export function stepRow(trace: Trace, step: number, record: CaptureRecord): StepRow {
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
    summary: summarizeStep(kind, record),
  };
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
