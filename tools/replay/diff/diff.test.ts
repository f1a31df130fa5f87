import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { conversationOf, item, updateOf } from '#tests/builders/updateOf.ts';
import { canonicalJson } from './canonicalJson.ts';
import { applyChanges } from '../golden/changes.ts';
import { stateDiff } from './stateDiff.ts';
import { fieldPath, itemPath, keysOf } from './valueDiff.ts';

const KEYS = ['10', '9', ...Array.from('abcdefghijklmnopq')];
const UNITS = { é: 1, Z: 1, a: 1, '😀': 1, '￿': 1, '': 1 };
const MANY = Object.fromEntries(KEYS.toReversed().map((key) => [key, 0]));

test.each([
  ['nested objects', { b: { d: 1, c: [] }, a: null }, '{"a":null,"b":{"c":[],"d":1}}'],
  ['keys by code units', UNITS, '{"":1,"Z":1,"a":1,"é":1,"😀":1,"￿":1}'],
  ['many keys', MANY, `{${KEYS.map((key) => `"${key}":0`).join()}}`],
  ['a field that is undefined', { a: undefined, b: false }, '{"b":false}'],
  ['special characters', ['\uD800', '\u0007', '\u2028'], '["\\ud800","\\u0007","\u2028"]'],
  ['numbers', [-0, 1e21, 0.1], '[0,1e+21,0.1]'],
  ['a key named __proto__', JSON.parse('{"a":1,"__proto__":{"b":2}}'), '{"__proto__":{"b":2},"a":1}'],
])('encodes %s canonically', (_, value, text) => expect(canonicalJson(value)).toBe(text));

test('reports added and removed content as one place', () => {
  const bare = { person: 'Ada', messages: [{ modifier: 'ai' }] };
  const listed = { person: 'Ada', messages: [{ modifier: 'ai', content: [item('x')] }] };
  const path = 'messages[0].content';
  const [without, having] = [conversationOf(bare), conversationOf(listed)];
  expect(stateDiff(without, having)).toEqual([{ path, before: undefined, after: [item('x')] }]);
  expect(stateDiff(having, without)).toEqual([{ path, before: [item('x')], after: undefined }]);
});

const short = fc.string({ maxLength: 2 });
const content = fc.array(fc.constantFrom(item('x'), item('y')));
const fields = { modifier: fc.constant('ai'), id: short, content };
const aMessage = fc.record(fields, { requiredKeys: ['modifier'] });
const aFrame = fc.oneof(
  aMessage,
  fc.record({ category: fc.constant('text'), text: short }),
  fc.record({ text: fc.option(short) }),
  fc.record({ context: short }),
  fc.record({ name: short }),
  fc.record({ person: fc.constant('Ada'), messages: fc.array(aMessage, { maxLength: 70 }) }),
);

test('returns changes that turn any conversation into any other', () => {
  const frames = fc.array(aFrame, { maxLength: 80 });
  checkAll(100, [frames, frames, fc.boolean()], (a, b, isGrown) => {
    const before = isGrown ? conversationOf(...a) : emptyConversation;
    const after = isGrown ? b.map(updateOf).reduce(applyUpdate, before) : conversationOf(...b);
    const diff = stateDiff(before, after);
    const changes = Object.fromEntries(
      diff.filter((one) => one.after !== undefined).map((one) => [one.path, one.after]),
    );
    const removed = diff.filter((one) => one.after === undefined).map(({ path }) => path);
    const rebuilt = applyChanges(toSnapshot(before), { changes, removed });
    expect(canonicalJson(rebuilt)).toBe(canonicalJson(toSnapshot(after)));
  });
});

test.each(['a b', 'c[0]', 'quote"s'])('writes and reads the path of %j, which is not a plain name', (key) => {
  const path = fieldPath(itemPath('messages', 0), key);
  expect(keysOf(path)).toEqual(['messages', '0', key]);
});
