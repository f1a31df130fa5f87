import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { captureField, field, jsonDocument, optional } from '../base/jsonDocument.ts';
import type { Capture } from '../read/readCapture.ts';
import type { FrameRecord } from '#shared/capture/captureFormat.ts';
import { createEngine } from '../engine/createEngine.ts';
import { isFrame } from '../engine/frames.ts';
import type { Notification, SessionAdapter, SessionState } from '../engine/sessionAdapter.ts';
import { reportsOf } from '../engine/stateReports.ts';
import { formatValue } from '../base/visibleText.ts';

const CHANGE = {
  path: field.text('the path of the value, such as `messages[3].content[0].text`'),
  before: optional.any('the value of `a`, or of the earlier point; missing when there is none'),
  after: optional.any('the value of `b`, or of the later point; missing when there is none'),
};

const frameField = z.custom<FrameRecord>().optional();

export const captureDiffSchema = jsonDocument('diff a b', 'how two captures differ', {
  a: captureField,
  b: captureField,
  same: field.flag('whether the frames and the final state are the same'),
  frame: optional.object(
    'the first frames in which they differ; one is missing after the end of its capture',
    {
      number: field.number('the number of the frame, counting both directions, from 1'),
      a: frameField.describe('the record of the frame in `a`, as captures contain it'),
      b: frameField.describe('the record of the frame in `b`, as captures contain it'),
    },
  ),
  state: field.list('the differences of the final states', CHANGE),
});

export const pointsSchema = jsonDocument(
  'diff a --from n --to m',
  'how the state changed between two updates',
  {
    capture: captureField,
    from: field.number('the number of the earlier update; 0 is the beginning'),
    to: field.number('the number of the later update'),
    state: field.list('what changed between the two', CHANGE),
  },
);

type CaptureDiff = z.input<typeof captureDiffSchema>;
type PointDiff = z.input<typeof pointsSchema>;

/** A capture, and what replays it. */
export interface ReplayedCapture extends Capture {
  readonly adapter: SessionAdapter;
}

/** Returns the first frame in which two captures differ, if one does, and the differences of their final states. */
export function diffCaptures(a: ReplayedCapture, b: ReplayedCapture): CaptureDiff {
  const { stateChanges, otherChanges } = reportsOf(a.adapter);
  const frame = firstFrameDifference(framesOf(a), framesOf(b));
  const [left, right] = [endOf(a), endOf(b)];
  const state = [...stateChanges(left, right), ...otherChanges(left, right)];
  const same = frame === undefined && state.length === 0;
  return { a: a.path, b: b.path, same, ...(frame && { frame }), state };
}

/**
 * Returns how the state changed from one update to another; `to` is the last by default.
 * @throws {UsageError} when the capture has fewer updates.
 */
export function diffPoints(capture: ReplayedCapture, points: { from: number; to?: number | undefined }) {
  const { path, adapter } = capture;
  const { counts } = endOf(capture);
  const updates = counts.applied + counts.ignored;
  const { from, to = updates } = points;
  for (const [name, point] of Object.entries({ '--from': from, '--to': to }))
    if (point > updates) throw new UsageError(`${name} ${point}: ${path} has ${updates} updates`);
  const [before, after] = [endOf(capture, from), endOf(capture, to)];
  return { capture: path, from, to, state: reportsOf(adapter).stateChanges(before, after) };
}

/** Returns the state after the last update, or after `until`; with the notifications, if the app has some. */
function endOf({ adapter, records }: ReplayedCapture, until?: number): SessionState {
  const notifications: Notification[] = [];
  const onNotification = (notification: Notification) => void notifications.push(notification);
  const engine = createEngine(adapter, { until, onNotification });
  records.every((record) => engine.take(record));
  const state = engine.finish();
  return adapter.notification === undefined ? state : Object.assign({}, state, { notifications });
}

/** Returns the first frame whose direction or data differ; times are not compared. */
function firstFrameDifference(a: readonly FrameRecord[], b: readonly FrameRecord[]): CaptureDiff['frame'] {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]];
    if (one?.type !== other?.type || one?.data !== other?.data || one?.encoding !== other?.encoding)
      return { number: i + 1, ...(one && { a: one }), ...(other && { b: other }) };
  }
  return undefined;
}

const framesOf = ({ records }: Capture): FrameRecord[] =>
  records.filter((record): record is FrameRecord => isFrame(record, 'recv') || isFrame(record, 'send'));

/** Describes how two captures differ, for people. */
export function diffText({ a, b, same, frame, state }: CaptureDiff): string {
  if (same) return 'the same frames and the same final state\n';
  const frames = frame && [
    `frame ${frame.number} is the first that differs`,
    `  a  ${describeFrame(frame.a)}`,
    `  b  ${describeFrame(frame.b)}`,
  ];
  const states = state.length > 0 && ['the final state differs', ...changeLines(state, ['a', 'b'])];
  const captures = [`a  ${a}`, `b  ${b}`];
  const parts = [captures, frames ?? ['the same frames'], states || ['the same final state']];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Describes what changed between two points, for people. */
export function pointsText({ capture, from, to, state }: PointDiff): string {
  const head = `${capture}, from update ${from} to update ${to}`;
  if (state.length === 0) return `${head}: nothing changed\n`;
  return `${[head, ...changeLines(state, ['from', 'to'])].join('\n')}\n`;
}

function changeLines(changes: CaptureDiff['state'], [left, right]: readonly [string, string]): string[] {
  const width = Math.max(left.length, right.length);
  return changes.flatMap(({ path, before, after }) => [
    `  ${path}`,
    `    ${left.padEnd(width)}  ${formatValue(before)}`,
    `    ${right.padEnd(width)}  ${formatValue(after)}`,
  ]);
}

/** Describes a frame on one line: direction, time, data. */
function describeFrame(frame: FrameRecord | undefined): string {
  if (frame === undefined) return 'no frame';
  const encoding = frame.encoding === undefined ? '' : ', base64';
  return `${frame.type} at ${frame.t} ms${encoding}  ${formatValue(frame.data)}`;
}
