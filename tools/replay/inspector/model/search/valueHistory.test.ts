import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { keysOf, ownField, valueDiff } from '../../../diff/valueDiff.ts';
import { captureText } from '../testing/captureText.ts';
import { traceOf } from '../testing/modelOf.ts';
import { stateReader, valuesAfter } from '../trace/stateReader.ts';
import { runTask } from '../trace/task.ts';
import { type Trace, lastStep } from '../trace/trace.ts';
import { unlikeStep, valueHistory } from './valueHistory.ts';

const PATHS = [
  'messages[0].content[0].text',
  'messages[1].context',
  'messages[2]',
  'messages[40].content',
  'messages',
  'person',
  'connection.status',
  'windows[1].own.textBox',
  'attention.title',
  'counts.applied',
  'queue.length',
];

/** Returns the steps of a history, the newest first, in parts of at least two entries. */
function stepsOf(trace: Trace, path: string): number[] {
  const partTo = (to: number): number[] => {
    const { entries, next } = runTask(valueHistory(trace, { path, to, most: 2 }));
    return [...entries.map(({ row }) => row.step), ...(next === undefined ? [] : partTo(next))];
  };
  return partTo(lastStep(trace));
}

/** Compares the value after each step with that before it, through JSON. */
function changedSteps(trace: Trace, path: string): number[] {
  const stateAt = stateReader(trace);
  const valueAt = (step: number): unknown => {
    const values: unknown = JSON.parse(JSON.stringify(valuesAfter(trace, { step, state: stateAt(step) })));
    return keysOf(path).reduce<unknown>(ownField, values);
  };
  const steps = Array.from({ length: lastStep(trace) }, (_, i) => i + 1);
  return steps.filter((step) => valueDiff(valueAt(step - 1), valueAt(step)).length > 0).toReversed();
}

/** Several sessions in a row without an end: there are enough steps for some intervals. */
const longRecords = fc
  .array(anyRecords(), { minLength: 60, maxLength: 70, size: 'max' })
  .map((sessions) =>
    sessions.flatMap((records, session) =>
      records
        .filter(
          (record) => !('action' in record && record.action.type === 'session/ended') && !('tick' in record),
        )
        .map((record) => Object.assign(record, { t: record.t + session * 3000 })),
    ),
  );

test('finds exactly the steps that change a value, for any session and path', () => {
  checkProperty(
    fc.property(longRecords, (records) => {
      const trace = traceOf(captureText(records));
      for (const path of PATHS)
        expect([path, stepsOf(trace, path)]).toEqual([path, changedSteps(trace, path)]);
    }),
    3,
  );
});

test('describes a change: the step, the value before and after it, and what was appended', () => {
  const trace = traceOf(
    captureText([
      recv(1, { modifier: 'ai', content: [{ category: 'text', text: 'It' }] }),
      recv(200, { context: 'Assistant' }),
      recv(300, { text: 'It does' }),
    ]),
  );
  const { entries } = runTask(valueHistory(trace, { path: 'messages[0].content[0].text' }));
  expect(entries).toMatchObject([
    {
      row: { step: 6, kind: 'applied', updateKind: 'text' },
      before: '"It"',
      after: '"It does"',
      appended: { added: ' does' },
    },
    { row: { step: 2, updateKind: 'message' }, before: 'nothing', after: '"It"' },
  ]);
});

test('finds the nearest earlier step of the same kind that left a value alone', () => {
  const trace = traceOf(
    captureText([
      recv(1, { modifier: 'ai', content: [{ category: 'text', text: 'a' }] }),
      recv(200, { text: 'a' }),
      recv(300, { text: 'b' }),
      recv(400, { text: 'c' }),
    ]),
  );
  const unlike = (step: number) => runTask(unlikeStep(trace, { path: 'messages[0].content[0].text', step }));
  expect([unlike(8), unlike(6), unlike(2)]).toEqual([4, 4, undefined]);
});

test('refuses a path that is not one of the state', () => {
  expect(() => runTask(valueHistory(traceOf(captureText([])), { path: 'nothing' }))).toThrow(
    '“nothing” is not a path of the state; a path begins with person, messages',
  );
});
