import { frameBytes, isFrame } from '../../engine/actions.ts';
import type { FoldStart, Waiting } from '../../engine/createFold.ts';
import { tickFor } from '#shared/store/ticks.ts';
import { CHECKPOINT_UPDATES, type Course, lastStep } from './course.ts';
import { besidesAt, conversationAfter, readerOf, updateOf } from './courseState.ts';
import { countBelow, countUpTo } from './growing.ts';
import { copyLines, truncateLines } from './lineTable.ts';

/**
 * Takes a course back to where its first so many records had been taken and nothing after them had happened.
 * @returns where a fold goes on from there.
 */
export function rewindCourse(course: Course, records: number): FoldStart {
  const step = records === 0 ? 0 : course.recordSteps.at(records - 1);
  const updates = course.steps.updates.at(step);
  for (const column of Object.values(course.steps)) column.truncate(step + 1);
  truncateLines(course.lines, records);
  course.recordSteps.truncate(records);
  const received = countBelow(course.updateRecords, records);
  course.updateRecords.truncate(received);
  course.updateBytes.truncate(received);
  course.checkpoints.length = Math.floor(updates / CHECKPOINT_UPDATES);
  while ((course.connections.at(-1)?.step ?? 0) > step) course.connections.pop();
  const { sent, dropped, ignored, rejected } = course;
  for (const steps of [course.received, sent, dropped, ignored, ...rejected.values()]) {
    steps.truncate(countUpTo(steps, step));
  }
  if (course.endedAt !== undefined && course.endedAt >= records) course.endedAt = undefined;
  return foldStart(course);
}

/** A course of its own that has taken the first so many records, and where a fold goes on from there. */
export function branchCourse(course: Course, records: number): { course: Course; start: FoldStart } {
  const { steps, lines, checkpoints, connections, rejected } = course;
  const whole = Infinity;
  const branch: Course = {
    ...course,
    lines: copyLines(lines, whole),
    steps: {
      kinds: steps.kinds.copy(whole),
      updateKinds: steps.updateKinds.copy(whole),
      times: steps.times.copy(whole),
      records: steps.records.copy(whole),
      updates: steps.updates.copy(whole),
      queue: steps.queue.copy(whole),
    },
    recordSteps: course.recordSteps.copy(whole),
    updateRecords: course.updateRecords.copy(whole),
    updateBytes: course.updateBytes.copy(whole),
    checkpoints: [...checkpoints],
    connections: [...connections],
    received: course.received.copy(whole),
    sent: course.sent.copy(whole),
    dropped: course.dropped.copy(whole),
    ignored: course.ignored.copy(whole),
    rejected: new Map(Array.from(rejected, ([reason, at]) => [reason, at.copy(whole)])),
    warnings: [...course.warnings],
  };
  return { course: branch, start: rewindCourse(branch, records) };
}

/** What the fold must know at the course's last step. What waits there is decoded again. */
function foldStart(course: Course): FoldStart {
  const step = lastStep(course);
  const updates = course.steps.updates.at(step);
  const { connection, counts, clock } = besidesAt(course, step);
  return {
    conversation: conversationAfter(course, updates),
    connection,
    counts,
    waiting: waitingAfter(course, updates, clock.tick),
    virtualMs: clock.tick,
  };
}

function waitingAfter(course: Course, updates: number, lastTick: number): Waiting[] {
  const read = readerOf(course);
  const waiting: Waiting[] = [];
  let tick = lastTick;
  for (let number = updates + 1; number <= course.updateRecords.length; number++) {
    const update = updateOf(course, number, read);
    const record = read(course.updateRecords.at(number - 1));
    if (update === undefined || !isFrame(record, 'recv')) continue;
    tick = tickFor(record.t, tick);
    waiting.push({ update, bytes: frameBytes(record), receivedAt: record.t, tick });
  }
  return waiting;
}
