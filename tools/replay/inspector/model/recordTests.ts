import type { Update } from '#shared/protocol/update.ts';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { frameText } from '../../engine/actions.ts';
import { type Course, stepKindAt, updateKindAt } from './course.ts';
import { readerOf } from './courseState.ts';
import { SessionError } from './sessionError.ts';
import { isFrameRecord, isRelease } from './stepRow.ts';

/** Whether a step is what is looked for; asked of steps in order, it costs least. */
export type StepTest = (step: number) => boolean;

const PATTERN = /^\/(.+)\/([a-z]*)$/s;

/**
 * Frames, in or out, whose text holds what is looked for, upper or lower case; `/…/` is a regular expression.
 * @throws {SessionError} when that cannot be read.
 */
export function frameTest(course: Course, text: string): StepTest {
  const matches = textTest(text);
  const read = readerOf(course);
  return (step) => {
    const kind = stepKindAt(course, step);
    if (kind !== 'received' && kind !== 'rejected' && kind !== 'sent') return false;
    const record = read(course.steps.records.at(step));
    return isFrameRecord(record) && matches(record.data);
  };
}

function textTest(text: string): (data: string) => boolean {
  const [, source, flags = ''] = PATTERN.exec(text) ?? [];
  if (source === undefined) {
    const wanted = text.toLowerCase();
    return (data) => data.toLowerCase().includes(wanted);
  }
  const pattern = patternOf(source, flags.replace(/[gy]/g, ''));
  return (data) => pattern.test(data);
}

function patternOf(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (cause) {
    throw new SessionError(`This is no regular expression: /${source}/${flags}.`, { cause });
  }
}

/** Updates that bring a message with this id. */
export function messageTest(course: Course, id: string): StepTest {
  const read = readerOf(course);
  return (step) => {
    const kind = updateKindAt(course, step);
    if ((kind !== 'message' && kind !== 'snapshot') || !isRelease(course, step)) return false;
    const record = read(course.steps.records.at(step));
    return isFrameRecord(record) && brings(decodeUpdate(frameText(record)), id);
  };
}

function brings(update: Update | { readonly kind: 'rejected' }, id: string): boolean {
  if (update.kind === 'message') return update.frame.id === id;
  return update.kind === 'snapshot' && (update.frame.messages ?? []).some((message) => message.id === id);
}
