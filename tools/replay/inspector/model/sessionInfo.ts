import type { SessionInfo } from '../protocol.ts';
import { type Course, lastStep } from './course.ts';
import { conversationAfter, countsAt } from './courseState.ts';

/** A course as a whole. */
export function sessionInfo(course: Course): SessionInfo {
  const { name, header, steps, warnings } = course;
  const last = lastStep(course);
  const { received, sent, applied, ignored, rejected } = countsAt(course, last);
  return {
    name,
    header,
    steps: last,
    updates: applied + ignored,
    frames: { received, sent, rejected: Object.values(rejected).reduce((sum, count) => sum + count, 0) },
    messages: conversationAfter(course, applied + ignored).messages.length,
    duration: steps.times.at(last),
    warnings: [...warnings],
  };
}
