import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { isJsonObject } from '#shared/json.ts';
import { anyRecords } from '#tests/builders/anyRecords.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { message, recv } from '#tests/builders/updateOf.ts';
import type { AppAdapter } from '../engine/appAdapter.ts';
import { adapterApp, storeApp } from '../inspector/model/apps/adapter.ts';
import { parleyApp } from '../inspector/model/apps/parley.ts';
import type { InspectedApp } from '../inspector/model/trace/app.ts';
import type { StepOrTime } from '../base/commandOptions.ts';
import { ValueHistory } from './valueHistory.ts';
import { WhyNot } from './whyNot.ts';
import { rowReader } from '../inspector/model/trace/steps.ts';
import { stateReader } from '../inspector/model/trace/stateReader.ts';
import { lastStep } from '../inspector/model/trace/trace.ts';
import { isDifferent, valueReader } from '../inspector/model/trace/valuePath.ts';
import { acted, traceOf } from '../inspector/model/testing/modelOf.ts';
import { CHAT_RECORDS, teamChat } from '../store/testing/teamChat.ts';
import { underTitles } from '../testing/drawText.ts';
import { STARTED_AT } from '../testing/files.ts';
import { findField } from './frameField.ts';

const item = (name: string, seen = false) => ({ name, seen });

interface List {
  readonly items: readonly ReturnType<typeof item>[];
  readonly users: Readonly<Record<string, ReturnType<typeof item>>>;
}

/** A list of items, one update every 100 ms. */
const list: AppAdapter<List, Record<string, unknown>> = {
  name: 'list',
  decode(data) {
    const frame: unknown = JSON.parse(String(data));
    if (!isJsonObject(frame)) return { rejected: 'not an object' };
    return 'seen' in frame && typeof frame.seen !== 'boolean'
      ? { rejected: 'wrong type', where: 'seen' }
      : { update: frame };
  },
  kind: ({ kind }) => (typeof kind === 'string' ? kind : 'set'),
  initialState: { items: [item('a'), item('b')], users: { ann: item('ann'), bob: item('bob') } },
  reduce(state, { at, fail, user, kind: _kind, ...fields }) {
    if (fail !== undefined) throw new Error('no such item');
    if (typeof user === 'string')
      return { ...state, users: { ...state.users, [user]: { ...item(user), ...fields } } };
    const old = state.items[Number(at)];
    return old ? { ...state, items: state.items.with(Number(at), { ...old, ...fields }) } : state;
  },
  reduceAction: (state, { type, payload }) =>
    type === 'list/seen' ? { ...state, items: state.items.with(Number(payload), item('x', true)) } : state,
  tick: (receivedAt, previous) => Math.max(receivedAt, previous) + 100,
};

type About = readonly [path: string, at?: StepOrTime];

/** Returns the candidates, the newest first. */
function whyNot(app: InspectedApp, records: readonly CaptureRecord[], ...about: About) {
  const walk = new WhyNot(app, ...about);
  for (const record of records) {
    walk.take(record);
    if (walk.isDone) break;
  }
  walk.pass();
  return walk.candidates();
}

/** Draws the candidates. */
const reasonsOf = (...given: Parameters<typeof whyNot>): string =>
  whyNot(...given)
    .map(({ step, type, reason, because }) => `${step} ${type}, ${reason}: ${because}`)
    .join('\n');

const PATH = 'state.items[0].seen';

const FRAMES = [
  { at: 1, seen: true },
  { at: 0, seen: false },
  { at: 9, seen: true },
  { at: 0, seen: 'yes' },
  { at: 0, name: 'c' },
  { fail: true },
  { kind: 'rename', at: 0, name: 'd' },
  { at: 0, seen: true },
].map((frame) => recv(0, frame));

const WAITING = [
  recv(0, { kind: 'note', at: 1, name: 'z' }),
  recv(0, { kind: 'mark', at: 0, name: 'c' }),
  recv(50, { kind: 'mark', at: 0, seen: true }),
];

const OF_BOB = recv(0, { user: 'bob', seen: true });

const ACTIONS = [
  acted(0, { type: 'list/seen', payload: 1 }),
  acted(1, { type: 'list/other', payload: { seen: 1 } }),
  acted(2, { type: 'list/more', payload: 0 }),
];

const ENDED: readonly CaptureRecord[] = [
  recv(0, { person: 'Ada', messages: [message('m-1')] }),
  acted(150, { type: 'message/dropped', payload: { category: 'text' } }),
  recv(210, message('m-2')),
  recv(220, message('m-3')),
  acted(320, { type: 'session/ended' }),
  recv(330, message('m-4')),
];

test('says of each update and action that may have changed a value why it did not, the newest first', async () => {
  const app = adapterApp(list);
  const header = Object({ startedAt: STARTED_AT });
  const store = await storeApp(teamChat())({ header, records: CHAT_RECORDS });
  const sections = {
    'each reason': reasonsOf(app, FRAMES, PATH),
    'waiting updates at a time, with the kind of a later change': reasonsOf(app, WAITING, PATH, {
      time: 150,
    }),
    'waiting updates at a step, which is named whatever its kind': reasonsOf(app, WAITING, PATH, { step: 4 }),
    'waiting updates while another one is released': reasonsOf(app, WAITING, PATH, { step: 5 }),
    'actions whose type changes the value, and those that name it': reasonsOf(app, ACTIONS, PATH),
    'the same field of another key': reasonsOf(app, [OF_BOB], 'state.users.ann.seen'),
    'the updates of a store, which name their record': reasonsOf(store, CHAT_RECORDS, 'state.read'),
    'waiting updates at the end, and dropped messages': reasonsOf(parleyApp, ENDED, 'messages[2].seen'),
  };
  await expect(underTitles(sections)).toMatchFileSnapshot('testing/reasons.txt');
});

function historyOf(records: readonly CaptureRecord[], path: string, at?: StepOrTime): ValueHistory {
  const history = new ValueHistory(parleyApp, path, at);
  for (const record of records) history.take(record);
  history.pass();
  return history;
}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const TEXT_PATHS = ['person', 'messages[0].content[0].text', 'attention.title', 'connection.status'];
const LIST_PATHS = ['messages', 'messages.length', 'messages[0]', 'messages[1].content', 'messages[1].seen'];
const SLICE_PATHS = ['windows', 'counts', 'counts.rejected', 'queue.length', 'preferences'];
const anyPath = fc.constantFrom(...TEXT_PATHS, ...LIST_PATHS, ...SLICE_PATHS);

test('ends with the step at a moment, or with the last one until a time', () => {
  const snapshot = recv(5, { person: 'Ada', messages: [] });
  const records = [snapshot, recv(120, { name: 'B' }), recv(130, { name: 'C' })];
  const countAt = (at: StepOrTime) => historyOf(records, 'counts.applied', at).entries.length;
  expect([0, 1, 2, 3, 5, 6].map((step) => countAt({ step }))).toEqual([0, 0, 1, 1, 2, 3]);
  expect([0, 199, 199.4, 200, 300].map((time) => countAt({ time }))).toEqual([0, 1, 1, 2, 3]);
});

test('finds exactly the steps at which the inspector shows another value, with its numbers and texts, and says that they changed it, for any path of any session', () => {
  checkAll(300, [anyRecords(), anyPath], (records, path) => {
    const trace = traceOf(records);
    const stateAt = stateReader(trace);
    const rowOf = rowReader(trace, stateAt);
    const read = valueReader(parleyApp, path);
    const expected = Array.from({ length: lastStep(trace) }, (_, i) => i + 1).flatMap((step) => {
      const [before, after] = [read(stateAt(step - 1)), read(stateAt(step))];
      if (!isDifferent(before, after)) return [];
      const { kind, t, summary, record } = rowOf(step);
      return { step, kind, t, summary, record, before: plain(before), after: plain(after) };
    });
    const found = historyOf(records, path).entries.map(({ frame: { record }, before, after, ...entry }) =>
      Object.assign(entry, { record, before: plain(before), after: plain(after) }),
    );
    expect(found).toMatchObject(expected);
    const steps = expected.map(({ step }) => step);
    const named = whyNot(parleyApp, records, path).filter(({ reason }) => reason === 'changed');
    // Counts and the queue also change when a frame only arrives.
    const changed = /^(?:counts|queue)/.test(path) ? steps : named.map(({ step }) => step).toReversed();
    expect(changed).toEqual(steps);
  });
});

const field = (content: unknown, path: string, after: unknown) =>
  findField(content, [{ path, before: undefined, after }]);

test.each([
  ['the same value under the same name', { id: 'x', title: 'x' }, 'state.cards[0].title', 'x', 'title'],
  ['the same value under another name', { to: 'done', n: 7 }, 'state.cards[0].column', 'done', 'to'],
  ['a number under another name', { list: [{ n: 7 }] }, 'state.count', 7, 'list[0].n'],
  ['an object', { items: [{ a: 1, b: [2] }] }, 'state.last', { b: [2], a: 1 }, 'items[0]'],
  ['an item of a list with the same name', { tags: ['a', 'b'] }, 'state.tags[1]', 'b', 'tags[1]'],
  ['the whole frame', 'hello', 'state.text', 'hello', ''],
  ['true under the same name', { message: { seen: true } }, 'messages[3].seen', true, 'message.seen'],
  ['a text that is a part of it', { text: 'wor', id: 1 }, 'state.text', 'Hello wor!', 'text'],
])('finds %s', (...[, content, path, after, expected]) => {
  expect(field(content, path, after)).toBe(expected);
});

test('finds the text by which a value grew, and the field of a part when the whole value is not in the frame, but no value that is there by chance, no removed one, and nothing in a frame that is not JSON', () => {
  const grown = { path: 'state.text', before: 'hello', after: 'hello world' };
  expect(findField({ kind: 'delta', chunk: ' world' }, [grown])).toBe('chunk');
  const part = { path: 'state.card.title', before: 'a', after: 'b' };
  const change = { path: 'state.card', before: { title: 'a', n: 1 }, after: { title: 'b', n: 1 } };
  expect(findField({ title: 'b' }, [change, part])).toBe('title');
  for (const value of [true, 1, '', null])
    expect(field({ other: true, n: 1, e: '', z: null }, 'state.flag', value)).toBeUndefined();
  expect(field({ a: 'x' }, 'state.flag', undefined)).toBeUndefined();
  expect(['x', 3].map((value) => field(undefined, 'state.flag', value))).toEqual([undefined, undefined]);
});
