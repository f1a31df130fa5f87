import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { slicesDiff, stateDiff } from '../../diff/stateDiff.ts';
import { valueDiff } from '../../diff/valueDiff.ts';
import { type ExpectedStep, expectedSteps } from './testing/expectedSteps.ts';
import { type Edit, editTrace } from './editTrace.ts';
import { type Trace, lastStep, saveLines, stepOf } from './trace/trace.ts';
import { isFrameRecord } from './trace/steps.ts';
import { valuesAfter } from './trace/stateReader.ts';
import { runTask } from './trace/task.ts';
import { acted, allSteps, modelOf, parleyStates, traceOf } from './testing/modelOf.ts';

const small = ({ rest: { queue: _queue, ...rest } }: ExpectedStep) => rest;

test('computes the difference between any two steps, and returns the newest messages with those that a step changed', () => {
  checkAll(80, [anyRecords(), fc.nat(), fc.nat()], (records, a, b) => {
    const steps = expectedSteps(records);
    const [base, step, messages] = [a % steps.length, b % steps.length, a % 6];
    const [before, former, after] = [base, Math.max(0, step - 1), step].flatMap((i) => steps[i] ?? []);
    assert(before && former && after);
    const model = modelOf(records);
    const expected = [
      ...stateDiff(before.conversation, after.conversation),
      ...slicesDiff(small(before), small(after)),
    ];
    const { diff, diffTotal } = model.quick.view({ base, step });
    expect([diff, diffTotal]).toEqual([expected, expected.length]);
    const { person, messages: all } = toSnapshot(after.conversation);
    const old = toSnapshot(former.conversation).messages;
    const start = Math.max(0, all.length - messages);
    const isChanged = (i: number) => i >= start && valueDiff(old[i], all[i]).length > 0;
    const changed = [...all.keys()].filter(isChanged);
    const conversation = { person, total: all.length, start, messages: all.slice(start), changed };
    expect(model.quick.view({ step, messages }).parley).toMatchObject({ conversation });
  });
});

const FRAMES = ['{"name":"Edited"}', '{"modifier":"ai","id":"new"}', 'not JSON', '{"text":"other"}'];

const anyEdits = fc.array(
  fc.tuple(fc.constantFrom('skip', 'replace', 'insert'), fc.nat(), fc.constantFrom(...FRAMES)),
  { maxLength: 4 },
);

/** Returns edits of these records; one that is no frame is skipped instead of replaced. */
const editsOf = (
  records: readonly CaptureRecord[],
  edits: typeof anyEdits extends fc.Arbitrary<infer E> ? E : never,
) =>
  edits.flatMap(([kind, number, data], i): Edit[] => {
    if (kind === 'insert') return [{ kind, record: number % (records.length + 1), data, id: i + 1 }];
    const index = number % Math.max(1, records.length);
    const record = records[index];
    if (record === undefined) return [];
    const isReplaced = kind === 'replace' && isFrameRecord(record);
    return [isReplaced ? { kind, record: index + 1, data } : { kind: 'skip', record: index + 1 }];
  });

/** Returns the edited records, computed in the simplest way. */
function edited(records: readonly CaptureRecord[], edits: readonly Edit[]): CaptureRecord[] {
  const insertedAt = (number: number, t: number) =>
    edits.toReversed().flatMap((edit): CaptureRecord[] => {
      const isHere = edit.kind === 'insert' && edit.record === number;
      return isHere ? [{ t, type: 'recv', data: edit.data }] : [];
    });
  const kept = records.flatMap((record, i): CaptureRecord[] => {
    const change = edits.findLast(({ kind, record: number }) => kind !== 'insert' && number === i + 1);
    const own = change?.kind === 'replace' ? [{ ...record, data: change.data }] : [record];
    return [...(change?.kind === 'skip' ? [] : own), ...insertedAt(i + 1, record.t)];
  });
  return [...insertedAt(0, 0), ...kept];
}

const stepsOf = (trace: Trace, stateAt = parleyStates(trace)) =>
  Array.from({ length: lastStep(trace) + 1 }, (_, step) => ({
    kind: stepOf(trace, step).kind,
    record: stepOf(trace, step).record,
    conversation: toSnapshot(stateAt(step).conversation),
    values: JSON.stringify(valuesAfter(trace, { step, state: stateAt(step) })),
  }));

const endOf = (trace: Trace) => parleyStates(trace)(lastStep(trace)).conversation;

const lastAt = (trace: Trace, time: number) => allSteps(trace).findLastIndex(({ t }) => t <= time);
const conversationAt = (trace: Trace, t: number) => parleyStates(trace)(lastAt(trace, t)).conversation;

/** Compares both traces at every time; returns the update of the first time that differs, or the step at that time. */
function simpleFirstDivergence(a: Trace, b: Trace): number | undefined {
  const times = [a, b].flatMap((trace) => allSteps(trace).map((step) => step.t)).sort((x, y) => x - y);
  const first = times.find((t) => stateDiff(conversationAt(a, t), conversationAt(b, t)).length > 0);
  if (first === undefined) return undefined;
  const release = allSteps(b).findIndex((step) => step.t === first && /applied|ignored/.test(step.kind));
  return release === -1 ? lastAt(b, first) : release;
}

test('computes the trace of the edited capture, for any session and any edits', () => {
  checkAll(30, [anyRecords(), anyEdits], (records, given) => {
    const edits = editsOf(records, given);
    const recorded = traceOf(records);
    const before = stepsOf(recorded);
    const { trace, diff, firstDivergence } = runTask(editTrace(recorded, edits));
    const expected = traceOf(edited(records, edits));
    expect(stepsOf(trace)).toEqual(stepsOf(expected));
    expect(stepsOf(recorded)).toEqual(before);
    expect(diff).toEqual(stateDiff(endOf(recorded), endOf(expected)));
    expect(firstDivergence).toBe(simpleFirstDivergence(recorded, expected));
  });
});

const typed = (t: number, text: unknown, window?: number) =>
  acted(t, { type: 'textBox/edited', payload: { text } }, window);

const written = (text: unknown, window?: number) => JSON.stringify({ ...typed(0, text).action, window });

test('applies each edit on top of the former ones: of frames, of a close, of actions, and of what was inserted', async () => {
  const close = { t: 4, type: 'close', code: 1006, reason: '' } as const;
  const names = [recv(1, { name: 'a' }), recv(2, { name: 'b' })];
  const recorded = traceOf([...names, ...[3, 3, 3].map((t) => typed(t, 'hi', 1)), close]);
  const edits: Edit[] = [
    { kind: 'insert', record: 1, data: '{"name":"c"}', id: 1 },
    { kind: 'insert', record: -1, data: '{"name":"d"}', id: 2 },
    { kind: 'replace', record: -1, data: '{"name":"e"}' },
    { kind: 'insert', record: 1, data: '{"name":"f"}', id: 3 },
    { kind: 'skip', record: 2 },
    { kind: 'replace', record: 2, data: '{"name":"g"}' },
    { kind: 'replace', record: 3, data: written('changed', 2) },
    { kind: 'skip', record: 4 },
    { kind: 'insert', record: 4, data: written('new'), id: 4, isAction: true },
    { kind: 'insert', record: 5, data: written('x', 1), id: 5, isAction: true },
    { kind: 'replace', record: -5, data: '{"type":"textBox/sent","window":1}' },
    { kind: 'close', record: 6, code: 1001, reason: 'away' },
    { kind: 'skip', record: -3 },
  ];
  const { trace, editable } = runTask(editTrace(recorded, edits));
  const origins = trace.lines.map((_, i) => editable(i + 1));
  await expect(`${await saveLines(trace).text()}${String(origins)}\n`).toMatchFileSnapshot(
    'testing/edited.txt',
  );
});

const UNUSABLE = [
  ['{"type":', 'This is not JSON.'],
  ['{"type":"textBox/sent","windows":1}', 'An action is an object with a type'],
  ['{"type":"textBox/eaten"}', 'There is no action "textBox/eaten".'],
  [written(7), 'The payload of textBox/edited is not valid at text: '],
] as const;

test.each<[Edit, string]>([
  [{ kind: 'skip', record: -1 }, 'There is no record -1;'],
  [{ kind: 'close', record: 1, code: 1000, reason: '' }, 'Record 1 cannot be edited'],
  [{ kind: 'skip', record: 3 }, 'There is no record 3; the capture has 2.'],
  [{ kind: 'replace', record: 2, data: '' }, 'Record 2 cannot be edited in this way.'],
  ...UNUSABLE.flatMap(([data, why]): [Edit, string][] => [
    [{ kind: 'replace', record: 1, data }, why],
    [{ kind: 'insert', record: 1, data, id: 1, isAction: true }, why],
  ]),
])('rejects the edit %j', (edit, message) => {
  const recorded = traceOf([typed(1, 'hi', 1), { t: 2, type: 'open' }]);
  expect(() => runTask(editTrace(recorded, [edit]))).toThrow(message);
});
