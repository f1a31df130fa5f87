import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { conversationOf, item, message, updateOf } from '#tests/builders/updateOf.ts';
import { applyChanges } from '../golden/changes.ts';
import { canonicalJson } from './canonicalJson.ts';
import { differingIndexes, stateDiff } from './stateDiff.ts';
import { append, changeLast, itemAt, vectorOf } from '#shared/conversation/vector.ts';

const snapshot = (...ids: readonly string[]) => ({ person: 'Ada', messages: ids.map((id) => message(id)) });
const ids = (count: number, prefix = 'm') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

const diffOf = (before: readonly object[], after: readonly object[]) =>
  stateDiff(conversationOf(...before), conversationOf(...after));

test('reports a changed text with its path and both values', () => {
  const before = [snapshot('a', 'b')];
  expect(diffOf(before, [...before, { text: 'new' }])).toEqual([
    { path: 'messages[1].content[0].text', before: 'b', after: 'new' },
  ]);
});

test('reports an additional message as a whole', () => {
  expect(diffOf([snapshot('a')], [snapshot('a'), message('b')])).toEqual([
    { path: 'messages[1]', before: undefined, after: message('b') },
  ]);
});

test('reports fewer messages as a change of the length', () => {
  expect(diffOf([snapshot('a', 'b', 'c')], [snapshot('a')])).toEqual([
    { path: 'messages.length', before: 3, after: 1 },
  ]);
});

test('reports no difference for equal values in new objects', () => {
  expect(diffOf([snapshot(...ids(40))], [snapshot(...ids(40))])).toEqual([]);
});

test('reports added and removed content as one place', () => {
  const bare = { person: 'Ada', messages: [{ modifier: 'ai' }] };
  const listed = { person: 'Ada', messages: [{ modifier: 'ai', content: [item('x')] }] };
  const path = 'messages[0].content';
  expect(diffOf([bare], [listed])).toEqual([{ path, before: undefined, after: [item('x')] }]);
  expect(diffOf([listed], [bare])).toEqual([{ path, before: [item('x')], after: undefined }]);
});

test('skips the shared part of a long conversation', () => {
  const { person, messages } = conversationOf(snapshot(...ids(3000)));
  let looks = 0;
  const [first = [], ...rest] = messages.root;
  const counted = new Proxy(first, {
    get: (target, key, receiver): unknown => (looks++, Reflect.get(target, key, receiver)),
  });
  const before: Conversation = { person, messages: { ...messages, root: [counted, ...rest] } };
  const after = ids(40, 'n').reduce<Conversation>(
    (state, id) => applyUpdate(state, updateOf(message(id))),
    before,
  );
  expect(after.messages.root).not.toBe(before.messages.root);
  looks = 0;
  expect(stateDiff(before, after)).toHaveLength(40);
  expect(looks).toBe(0);
});

const aMessage = fc.record(
  {
    modifier: fc.constant('ai'),
    id: fc.string({ maxLength: 2 }),
    content: fc.array(fc.constantFrom(item('x'), item('y'))),
  },
  { requiredKeys: ['modifier'] },
);
const aFrame = fc.oneof(
  aMessage,
  fc.record({ category: fc.constant('text'), text: fc.string({ maxLength: 2 }) }),
  fc.record({ text: fc.option(fc.string({ maxLength: 2 })) }),
  fc.record({ context: fc.string({ maxLength: 2 }) }),
  fc.record({ name: fc.string({ maxLength: 2 }) }),
  fc.record({ person: fc.constant('Ada'), messages: fc.array(aMessage, { maxLength: 70 }) }),
);

test('returns changes that turn any conversation into any other', () => {
  const frames = fc.array(aFrame, { maxLength: 80 });
  checkProperty(
    fc.property(frames, frames, fc.boolean(), (a, b, isGrown) => {
      const before = isGrown ? conversationOf(...a) : emptyConversation;
      const after = isGrown ? b.map(updateOf).reduce(applyUpdate, before) : conversationOf(...b);
      const diff = stateDiff(before, after);
      const changes = Object.fromEntries(
        diff.filter((one) => one.after !== undefined).map((one) => [one.path, one.after]),
      );
      const removed = diff.filter((one) => one.after === undefined).map(({ path }) => path);
      const rebuilt = applyChanges(toSnapshot(before), { changes, removed });
      expect(canonicalJson(rebuilt)).toBe(canonicalJson(toSnapshot(after)));
    }),
  );
});

const indexes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const objects = (count: number) => indexes(0, count).map((n) => ({ n }));

test.each([0, 1, 31, 32, 33, 64, 65, 1024, 1056, 1057, 33_000])(
  'finds only the item that was added to %d items',
  (length) => {
    const before = vectorOf(objects(length));
    expect(differingIndexes(before, append(before, { n: -1 }))).toEqual([length]);
  },
);

test.each([1, 32, 33, 1057])('finds only the last of %d items when it was replaced', (length) => {
  const before = vectorOf(objects(length));
  expect(
    differingIndexes(
      before,
      changeLast(before, () => ({ n: -1 })),
    ),
  ).toEqual([length - 1]);
});

test('finds no difference in the remaining items of a shorter list', () => {
  const items = objects(1100);
  expect(differingIndexes(vectorOf(items), vectorOf(items.slice(0, 40)))).toEqual([]);
});

test('finds the same indexes as a comparison item by item', () => {
  const list = fc.array(fc.constantFrom('a', 'b'), { maxLength: 80 });
  checkProperty(
    fc.property(list, list, (a, b) => {
      const [before, after] = [vectorOf(a), vectorOf(b)];
      const expected = indexes(0, b.length).filter((i) => itemAt(before, i) !== itemAt(after, i));
      expect(differingIndexes(before, after)).toEqual(expected);
    }),
  );
});
