import type { FrameRecord } from '#shared/capture/format.ts';
import type { CaptureDiff, PointsDiff } from './diffCaptures.ts';
import { formatValue } from '../base/formatValue.ts';
import type { Change } from './valueDiff.ts';

/** Describes how two captures differ, for people. */
export function diffText({ a, b, same, frame, state }: CaptureDiff): string {
  if (same) return 'the same frames and the same final state\n';
  const frames =
    frame === undefined
      ? ['the same frames']
      : [
          `frame ${frame.number} is the first that differs`,
          `  a  ${describeFrame(frame.a)}`,
          `  b  ${describeFrame(frame.b)}`,
        ];
  const states =
    state.length === 0
      ? ['the same final state']
      : ['the final state differs', ...changeLines(state, ['a', 'b'])];
  return `${[`a  ${a}`, `b  ${b}`, '', ...frames, '', ...states].join('\n')}\n`;
}

/** Describes what changed between two points, for people. */
export function pointsText({ capture, from, to, state }: PointsDiff): string {
  const head = `${capture}, from update ${from} to update ${to}`;
  if (state.length === 0) return `${head}: nothing changed\n`;
  return `${[head, ...changeLines(state, ['from', 'to'])].join('\n')}\n`;
}

function changeLines(changes: readonly Change[], [left, right]: readonly [string, string]): string[] {
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
