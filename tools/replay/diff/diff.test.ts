import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { conversationOf, item, updateOf } from '#tests/builders/updateOf.ts';
import { canonicalJson } from './canonicalJson.ts';
import { applyChanges } from '../golden/changes.ts';
import { stateDiff } from './stateDiff.ts';
import { fieldPath, itemPath, keysOf } from './valueDiff.ts';

const LETTERS = Array.from('abcdefghijklmnopq');

test.each([
  ['nested objects', { b: { d: 1, c: [] }, a: null }, '{"a":null,"b":{"c":[],"d":1}}'],
  [
    'keys by code units',
    { é: 1, Z: 1, a: 1, '😀': 1, '￿': 1, '': 1 },
    '{"":1,"Z":1,"a":1,"é":1,"😀":1,"￿":1}',
  ],
  [
    'many keys',
    Object.fromEntries([...LETTERS.toReversed(), '10', '9'].map((key) => [key, 0])),
    `{${['10', '9', ...LETTERS].map((key) => `"${key}":0`).join()}}`,
  ],
  ['a field that is undefined', { a: undefined, b: false }, '{"b":false}'],
  [
    'a lone surrogate, a control, a line separator',
    ['\uD800', '\u0007', '\u2028'],
    '["\\ud800","\\u0007","\u2028"]',
  ],
  ['numbers', [-0, 1e21, 0.1], '[0,1e+21,0.1]'],
])('encodes %s canonically', (_, value, text) => expect(canonicalJson(value)).toBe(text));

test('encodes a key named __proto__ as an ordinary field', () => {
  expect(canonicalJson(JSON.parse('{"a":1,"__proto__":{"b":2}}'))).toBe('{"__proto__":{"b":2},"a":1}');
});

const diffOf = (before: readonly object[], after: readonly object[]) =>
  stateDiff(conversationOf(...before), conversationOf(...after));

test('reports added and removed content as one place', () => {
  const bare = { person: 'Ada', messages: [{ modifier: 'ai' }] };
  const listed = { person: 'Ada', messages: [{ modifier: 'ai', content: [item('x')] }] };
  const path = 'messages[0].content';
  expect(diffOf([bare], [listed])).toEqual([{ path, before: undefined, after: [item('x')] }]);
  expect(diffOf([listed], [bare])).toEqual([{ path, before: [item('x')], after: undefined }]);
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

test.each(['a b', 'c[0]', 'quote"s'])('writes and reads the path of %j, which is not a plain name', (key) => {
  const path = fieldPath(itemPath('messages', 0), key);
  expect(keysOf(path)).toEqual(['messages', '0', key]);
});
