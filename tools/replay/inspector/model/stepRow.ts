import { type CaptureRecord, type FrameRecord, isKnown } from '#shared/capture/format.ts';
import { base64Bytes } from '#shared/protocol/outgoing.ts';
import { frameBytes } from '../../engine/actions.ts';
import type { StepRow } from '../protocol.ts';
import { type Course, isChangedAt, stepKindAt, updateKindAt } from './course.ts';
import { summaryOf } from './summaryOf.ts';

/** A step as a list shows it. @param record is that of the step, which the caller has read. */
export function stepRow(course: Course, step: number, record: CaptureRecord): StepRow {
  const { times, records, updates } = course.steps;
  const kind = stepKindAt(course, step);
  const updateKind = updateKindAt(course, step);
  const t = times.at(step);
  const isTick = isRelease(course, step);
  return {
    step,
    kind,
    t,
    ...(isTick && { delay: t - record.t, update: updates.at(step) }),
    ...(updateKind && { updateKind }),
    record: records.at(step) + 1,
    ...(isFrameRecord(record) && { bytes: wireBytes(record) }),
    changed: isChangedAt(course, step),
    summary: summaryOf(kind, record),
  };
}

/** Whether a step is an update at its tick. */
export const isRelease = ({ steps }: Course, step: number): boolean =>
  step > 0 && steps.updates.at(step) > steps.updates.at(step - 1);

export const isFrameRecord = (record: CaptureRecord): record is FrameRecord =>
  isKnown(record) && (record.type === 'recv' || record.type === 'send');

/** What a frame weighed on the wire. */
export const wireBytes = (record: FrameRecord): number =>
  record.encoding === 'base64' ? base64Bytes(record.data) : frameBytes(record);
