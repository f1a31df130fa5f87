import { expect, test } from 'vitest';
import { captureParser } from '#shared/capture/parseCapture.ts';
import type { KnownRecord } from '#shared/capture/captureFormat.ts';
import { mainRecorder } from '#tests/builders/mainRecorder.ts';
import { followSession } from './setUpInspector.ts';

const recv = (t: number, name: string): KnownRecord => ({ t, type: 'recv', data: JSON.stringify({ name }) });

/** Creates a recorder, and `follow`, whose texts arrive in `received` and `ends`. */
function followed() {
  const { recorder, clock } = mainRecorder({ writesFiles: false });
  const received: string[] = [];
  const ends: string[] = [];
  const follow = () =>
    followSession({
      recorder,
      clock,
      lines: (text) => received.push(text),
      ended: (text) => ends.push(text),
    });
  return { recorder, clock, received, ends, follow };
}

const LAUNCH = { t: 0, type: 'launch' };

/** Parses the lines so far as a capture. */
function captureOf(received: readonly string[]) {
  const [first = '', ...lines] = received.join('').trimEnd().split('\n');
  const parser = captureParser();
  return { header: parser.header(first), records: lines.map((line) => parser.record(line)) };
}

test('sends a whole capture when it starts in the middle of a session: earlier and later records', () => {
  const { recorder, clock, received, follow } = followed();
  recorder.launched(0);
  recorder.record(recv(1, 'before'));
  follow();
  expect(captureOf(received).records).toEqual([LAUNCH, recv(1, 'before')]);
  recorder.record(recv(2, 'after'));
  recorder.record(recv(3, 'and more'));
  clock.advance(100);
  expect(received).toHaveLength(2);
  expect(captureOf(received)).toMatchObject({
    header: { startedAt: '2026-11-20T09:00:00.000Z' },
    records: [LAUNCH, recv(1, 'before'), recv(2, 'after'), recv(3, 'and more')],
  });
});

test('sends the last lines before the session’s end, and nothing after it', () => {
  const { recorder, clock, received, ends, follow } = followed();
  recorder.launched(0);
  follow();
  recorder.record(recv(2, 'last'));
  recorder.ended();
  expect(captureOf(received).records).toEqual([LAUNCH, recv(2, 'last')]);
  expect(ends).toEqual(['The session has ended.']);
  const before = received.length;
  recorder.launched(0);
  recorder.record(recv(1, 'of the next session'));
  clock.advance(1000);
  expect(received).toHaveLength(before);
  expect(ends).toHaveLength(1);
});

test('reports at once that there is no session', () => {
  const { ends, received, follow } = followed();
  follow();
  expect(ends).toEqual(['There is no session to inspect: log in first.']);
  expect(received).toEqual([]);
});

test('sends nothing after it was stopped, not even waiting lines', () => {
  const { recorder, clock, received, ends, follow } = followed();
  recorder.launched(0);
  const stop = follow();
  recorder.record(recv(1, 'waits'));
  stop();
  recorder.record(recv(2, 'more'));
  recorder.ended();
  clock.advance(1000);
  expect(captureOf(received).records).toEqual([LAUNCH]);
  expect(ends).toEqual([]);
});

test('sends all lines to each of two followers', () => {
  const { recorder, clock, received, follow } = followed();
  recorder.launched(0);
  follow();
  follow();
  recorder.record(recv(1, 'x'));
  clock.advance(100);
  expect(received.filter((text) => text.includes('name'))).toHaveLength(2);
});
