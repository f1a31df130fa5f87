import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/recv.ts';
import { slicesDiff, stateDiff } from '../../diff/stateDiff.ts';
import { valueDiff } from '../../diff/valueDiff.ts';
import { type ExpectedStep, expectedSteps } from './testing/expectedSteps.ts';
import { runTask } from './trace/task.ts';
import { acted, modelOf, parleyAt } from './testing/modelOf.ts';

const sum = (column: Iterable<number>): number => Array.from(column).reduce((a, b) => a + b, 0);
const small = ({ rest: { queue: _queue, ...rest } }: ExpectedStep) => rest;

test('computes the difference between any two steps, and returns the newest messages with those that a step changed', () => {
  checkProperty(
    fc.property(anyRecords(), fc.nat(), fc.nat(), (records, a, b) => {
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
      expect(parleyAt(model, { step, messages })).toMatchObject({ conversation });
    }),
    80,
  );
});

test('counts each step in one column of the timeline, for any session and any number of columns', () => {
  checkProperty(
    fc.property(anyRecords(), fc.integer({ min: 1, max: 50 }), (records, columns) => {
      const { info, quick } = modelOf(records);
      const steps = expectedSteps(records);
      const { received, sent, applied, rejected } = steps[info.steps]?.rest.counts ?? {};
      const timeline = quick.timeline({ from: 0, to: info.duration, columns });
      const frames = { received, sent, rejected: sum(Object.values(rejected ?? {})) };
      expect(sum(timeline.applied)).toBe(applied);
      expect(info.frames).toEqual(frames);
      for (const name of ['received', 'sent', 'rejected'] as const)
        expect([name, sum(timeline[name])]).toEqual([name, frames[name]]);
      expect(Math.max(...timeline.queue)).toBe(Math.max(...steps.map(({ rest }) => rest.queue.length)));
    }),
    40,
  );
});

test('returns the connection’s bands and errors in the timeline', () => {
  const { quick } = modelOf([
    { t: 0, type: 'open' },
    acted(10, { type: 'connection/confirmed' }),
    recv(15, 7),
    { t: 40, type: 'close', code: 1006, reason: '' },
    acted(60, { type: 'connection/confirmed' }),
    { t: 90, type: 'close', code: 1000, reason: 'logout' },
  ]);
  const { connection, errors } = quick.timeline({ from: 5, to: 100, columns: 60 });
  const bands = connection.map(({ from, to, connected }) => `${from} to ${to}: ${connected}`);
  expect(bands.join(', ')).toBe(
    '5 to 10: false, 10 to 40: true, 40 to 60: false, 60 to 90: true, 90 to 100: false',
  );
  expect(errors).toEqual([
    { t: 15, step: 3, count: 1, text: 'not an object' },
    { t: 40, step: 4, count: 1, text: 'connection closed, 1006' },
  ]);
});

const text = (value: string | null) => ({ text: value });

test('shows what each update added: the new part of a streamed text, and the text of a notification', () => {
  const frames = [
    text('no target'),
    { modifier: 'ai', context: 'Bot', content: [{ category: 'text', text: 'A' }] },
    text('A b'),
    { name: 'Ada' },
    { seen: true },
    text('A b c'),
    text('new'),
    { category: 'text', text: null },
    text('first'),
    text(null),
    { person: 'Ada', messages: [{ modifier: 'ai', content: [{ text: 'S' }] }] },
    text('Sn'),
    {},
    { context: 'Last' },
    {},
  ];
  const { quick, long, info } = modelOf(frames.map((frame) => recv(0, frame)));
  long.filter({ filter: {} }).next();
  const rows = quick.rows({ from: frames.length, to: info.steps });
  expect(rows.map(({ kind, updateKind, summary }) => [kind, updateKind, summary])).toEqual([
    ['ignored', 'text', 'no target'],
    ['applied', 'message', 'Bot: A'],
    ['applied', 'text', '… b'],
    ['applied', 'name', 'Ada'],
    ['notification', 'notification', 'Bot: A b'],
    ['applied', 'text', '… c'],
    ['applied', 'text', 'new'],
    ['applied', 'content', ''],
    ['applied', 'text', 'first'],
    ['applied', 'text', ''],
    ['applied', 'snapshot', 'Ada, 1 message'],
    ['applied', 'text', '…n'],
    ['notification', 'notification', 'Sn'],
    ['applied', 'context', 'Last'],
    ['notification', 'notification', 'Last: Sn'],
  ]);
  expect(quick.view({ step: info.steps }).parley?.notification).toEqual({ title: 'Last', body: 'Sn' });
  expect(quick.view({ step: info.steps - 1 }).parley?.notification).toBeUndefined();
});

test('lists the children at each path of the state tree', () => {
  const frame = { modifier: 'ai', content: [{ category: 'text', text: 'hi' }], 'a b': [1, null] };
  const { quick } = modelOf([recv(30, frame)]);
  const at = (path: string) =>
    quick
      .children({ step: 2, path, from: 0, to: 99 })
      .map(({ path: inner, type, preview }) => [inner, type, preview]);
  const slices = 'connection wasConnected backlog audio preferences attention windows words counts queue';
  expect(at('').map(([path]) => path)).toEqual(['person', 'messages', ...slices.split(' '), 'clock']);
  expect(at('messages')).toEqual([
    ['messages[0]', 'object', '{modifier: "ai", content: 1 item, a b: 2 items}'],
  ]);
  expect(at('messages[0]')).toEqual([
    ['messages[0].modifier', 'string', '"ai"'],
    ['messages[0].content', 'list', '1 item: {…}'],
    ['messages[0]["a b"]', 'list', '2 items: 1, null'],
  ]);
  expect(at('messages[0].content[0]')).toContainEqual(['messages[0].content[0].text', 'string', '"hi"']);
  expect(at('messages[0]["a b"]')).toEqual([
    ['messages[0]["a b"][0]', 'number', '1'],
    ['messages[0]["a b"][1]', 'null', 'null'],
  ]);
  expect(at('clock')).toContainEqual(['clock.tick', 'string', '"0.100"']);
  expect(() => at('messages[7]')).toThrow('There is nothing at messages[7].');
});

test('says what each action was, in which window, and draws that window unless another one is chosen', () => {
  const { quick, long } = modelOf([
    acted(0, { type: 'window/opened', payload: { number: 1 } }),
    acted(0, { type: 'window/opened', payload: { number: 2 } }),
    acted(0, { type: 'textBox/edited', payload: { text: 'hello world' } }, 2),
    acted(0, { type: 'preferences/changed', payload: { theme: 'dark' } }),
    acted(0, { type: 'textBox/edited', payload: { text: 'closed' } }, 3),
  ]);
  runTask(long.filter({ filter: {} }));
  expect(quick.rows({ from: 2, to: 5 })).toMatchObject([
    { summary: 'textBox/edited "hello world", window 2', window: 2 },
    { summary: 'preferences/changed theme: "dark"' },
    { summary: 'textBox/edited "closed", window 3', window: 3 },
  ]);
  const drawn = (step: number, chosen: object = {}) => quick.view({ step, ...chosen }).parley?.window.number;
  expect([2, 3, 4, 5].map((step) => drawn(step))).toEqual([1, 2, 1, 1]);
  expect(drawn(3, { window: 1 })).toBe(1);
  expect(drawn(3, { window: 1, isActPreferred: true })).toBe(2);
  expect(drawn(5, { window: 2, isActPreferred: true })).toBe(2);
});
