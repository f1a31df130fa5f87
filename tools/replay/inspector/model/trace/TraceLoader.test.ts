import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { toList } from '#shared/fifo.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { findCaptures } from '../../../read/findCaptures.ts';
import { type ReplayState, createParleyEngine } from '../../../parley/parley.ts';
import { replayFile } from '../../../engine/replayFile.ts';
import { isSameJson } from '../../../diff/valueDiff.ts';
import { stateDiff } from '../../../diff/stateDiff.ts';
import { parleyApp } from '../apps/parley.ts';
import { type Trace, copyTrace, lastStep, stepOf } from './trace.ts';
import { TraceLoader } from './TraceLoader.ts';
import { runTask } from './task.ts';
import { HEADER, captureText } from '../testing/captureText.ts';
import { recv } from '#tests/builders/recv.ts';
import { type ExpectedStep, expectedSteps, restOf } from '../testing/expectedSteps.ts';
import { allSteps, parleyStates, traceOf } from '../testing/modelOf.ts';

const encoder = new TextEncoder();

/** Returns everything that the panes show of a trace, for every `stride`-th step. */
const stepsOf = (trace: Trace, stride = 1, stateAt = parleyStates(trace)) =>
  Array.from({ length: Math.floor(lastStep(trace) / stride) + 1 }, (_, i) => {
    const step = i * stride;
    const state = stateAt(step);
    return {
      kind: stepOf(trace, step).kind,
      t: stepOf(trace, step).t,
      record: stepOf(trace, step).record,
      conversation: toSnapshot(state.conversation),
      rest: restOf(state),
    };
  });

const expected = (records: readonly CaptureRecord[], stride = 1) =>
  expectedSteps(records)
    .filter((_, step) => step % stride === 0)
    .map(({ kind, t, record, rest, conversation }) => ({
      kind,
      t,
      record,
      rest,
      conversation: toSnapshot(conversation),
    }));

test('computes each step like the engine, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), (records) => {
      expect(stepsOf(traceOf(captureText(records)))).toEqual(expected(records));
    }),
  );
});

const isEnd = (record: CaptureRecord) =>
  record.type === 'action' && 'action' in record && record.action.type === 'session/ended';

/** Returns a record at a later time; the times of a late release count from the launch. */
const laterBy = (ms: number, record: CaptureRecord): CaptureRecord => ({
  ...record,
  t: record.t + ms,
  ...('tick' in record && { due: record.due + ms, tick: record.tick + ms }),
});

/** Generates the records of several sessions in a row without an end; there are enough of them for checkpoints. */
const longRecords = fc
  .array(anyRecords(), { minLength: 400, maxLength: 410, size: 'max' })
  .map((sessions) =>
    sessions.flatMap((records, session) =>
      records.flatMap((record) => (isEnd(record) ? [] : [laterBy(session * 3000, record)])),
    ),
  );

test('computes each step like the engine in a session with many checkpoints', () => {
  let most = 0;
  checkProperty(
    fc.property(longRecords, (records) => {
      const trace = traceOf(captureText(records));
      most = Math.max(
        most,
        allSteps(trace)
          .slice(1)
          .filter((step) => step.state !== undefined).length,
      );
      expect(stepsOf(trace, 17)).toEqual(expected(records, 17));
    }),
    1,
  );
  expect(most).toBeGreaterThan(1);
});

const shownBeside = ({ rest: { counts: _counts, queue: _queue, ...rest } }: ExpectedStep) => rest;

test('marks exactly the steps that change the conversation, the connection or what a window shows beside them, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), (records) => {
      const trace = traceOf(captureText(records));
      const steps = expectedSteps(records);
      for (let i = 1; i < steps.length; i++) {
        const [before, after] = [steps[i - 1], steps[i]];
        if (before === undefined || after === undefined) throw new Error('no such step');
        const isDifferent =
          stateDiff(before.conversation, after.conversation).length > 0 ||
          !isSameJson(shownBeside(before), shownBeside(after));
        expect(stepOf(trace, i).isChanged).toBe(isDifferent);
      }
    }),
  );
});

/** Returns the state of the engine after the first records, in a form without the chunks of the queue. */
function stateAfter(records: readonly CaptureRecord[]): object {
  const fold = createParleyEngine();
  for (const record of records) if (!fold.take(record)) break;
  return plainState(fold.state());
}

const plainState = ({ conversation, queue, ...state }: ReplayState) => ({
  ...state,
  conversation: toSnapshot(conversation),
  queue: { ...queue, waiting: toList(queue.waiting) },
});

test('rewinds to the state of the engine after any record, with unread messages, applied updates and the fields of the last snapshot', () => {
  checkProperty(
    fc.property(anyRecords(), fc.nat(30), (records, rewound) => {
      const count = Math.min(rewound, records.length);
      const trace = traceOf(captureText(records));
      const rewoundTo = copyTrace(trace, count);
      expect(plainState(parleyStates(rewoundTo)(lastStep(rewoundTo)))).toEqual(
        stateAfter(records.slice(0, count)),
      );
    }),
  );
});

test('computes the same trace from pieces of any size, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), fc.integer({ min: 1, max: 40 }), (records, piece) => {
      const text = captureText([...records, { t: 4000, type: 'note', text: 'é👋' } as CaptureRecord]);
      expect(stepsOf(traceOf(text, piece))).toEqual(stepsOf(traceOf(text)));
    }),
  );
});

test('computes the same trace when it is read while it grows, for any session', () => {
  checkProperty(
    fc.property(anyRecords(), fc.array(fc.nat(3000), { maxLength: 5 }), (records, cuts) => {
      const bytes = encoder.encode(captureText(records));
      const loader = new TraceLoader('x', { app: parleyApp });
      let from = HEADER.length;
      loader.take(bytes.slice(0, from));
      for (const to of [...cuts.map((cut) => Math.min(HEADER.length + cut, bytes.length)), bytes.length]) {
        runTask(loader.settle());
        if (to < from) continue;
        loader.take(bytes.slice(from, to));
        from = to;
      }
      const trace = runTask(loader.settle());
      expect(stepsOf(trace)).toEqual(stepsOf(traceOf(captureText(records))));
      expect(trace.warnings).toEqual([]);
    }),
  );
});

test('releases waiting updates of a growing session when a later record passes their ticks', () => {
  const [first, second] = [recv(10, { name: 'Ada' }), recv(50, { name: 'Grace' })];
  const loader = new TraceLoader('x', { app: parleyApp });
  loader.take(encoder.encode(captureText([first])));
  expect(stepsOf(runTask(loader.settle())).map(({ kind }) => kind)).toEqual(['other', 'received', 'applied']);
  loader.take(encoder.encode(`${JSON.stringify(second)}\n`));
  expect(stepsOf(runTask(loader.settle())).map(({ kind, t }) => `${kind} ${t}`)).toEqual([
    'other 0',
    'received 10',
    'received 50',
    'applied 100',
    'applied 200',
  ]);
});

describe('the corpus', async () => {
  const captures = await findCaptures([join(import.meta.dirname, '../../../../../tests/captures')]);
  test.each(captures.filter((path) => path.endsWith('.jsonl')))(
    'ends %s with the state of its replay',
    async (path) => {
      const trace = traceOf(await readFile(path, 'utf8'), 100);
      const { replay } = await replayFile(path, createParleyEngine());
      const end = stepsOf(trace).at(-1);
      expect(end?.conversation).toEqual(toSnapshot(replay.conversation));
      expect(end?.rest).toEqual(restOf(replay));
    },
  );
});

test.each([
  ['an empty file', '', 'x: is empty'],
  ['another format', '{"format":"har"}\n', 'x:1: is not the header of a Parley capture'],
  ['a newer version', HEADER.replace('"version":1', '"version":99'), /^x:1: has version 99/],
  ['a broken line in the middle', `${HEADER}\n{"t":1\n{"t":2,"type":"open"}\n`, 'x:3: is not JSON'],
  ['a complete last line that is not a record', `${HEADER}{"t":1}`, 'x:2: has no `type`'],
  [
    'a time that goes back',
    `${HEADER}{"t":2,"type":"open"}\n{"t":1,"type":"open"}\n`,
    /^x:3: goes back in time/,
  ],
])('reports the position of the error for %s', (_, text, message) => {
  expect(() => traceOf(text)).toThrow(message);
});

test('shows what is before a broken line of a file, with a warning, and ignores what follows', () => {
  const loader = new TraceLoader('x', { app: parleyApp, brokenLines: 'end' });
  const good = captureText([recv(1, { name: 'Ada' })]);
  loader.take(encoder.encode(`${good}{"t":2\n`));
  loader.take(new Uint8Array([0xff, 0x0a]));
  loader.take(encoder.encode(`${JSON.stringify(recv(3, { name: 'Mary' }))}\n`));
  const trace = runTask(loader.settle());
  expect(trace.warnings).toEqual(['x:3: is not JSON; only what is before it is used']);
  expect(stepsOf(trace).at(-1)?.conversation.person).toBe('Ada');
});

test('names the line in the error for bytes that are not UTF-8', () => {
  const loader = new TraceLoader('x', { app: parleyApp });
  const good = encoder.encode(`${HEADER}{"t":1,"type":"open"}\n`);
  const bad = new Uint8Array([...good, 0x22, 0xff, 0x0a]);
  expect(() => loader.take(bad)).toThrow('x:3: is not UTF-8');
});

test('skips a truncated last line with a warning', () => {
  const trace = traceOf(`${captureText([recv(1, { name: 'Ada' })])}{"t":5,"type":"rec`);
  expect(trace.warnings).toEqual([
    'x:3: is not JSON; the recorder was stopped in the middle of it, and all before it is used',
  ]);
  expect(lastStep(trace)).toBe(2);
});

test('accepts a byte order mark, blank lines and Windows line endings', () => {
  const text = `\uFEFF${captureText([recv(1, { name: 'é' }), recv(2, { name: 'b' })])}`;
  const trace = traceOf(text.replaceAll('\n', '\r\n\r\n'));
  expect(stepsOf(trace).at(-1)?.conversation.person).toBe('b');
});
