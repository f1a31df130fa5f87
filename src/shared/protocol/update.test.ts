import { expect, onTestFinished, test, vi } from 'vitest';
import { KIND_FIELDS } from '#sim/checks/foldFrames.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { decodeUpdate } from './update.ts';

const decode = (frame: unknown) => decodeUpdate(JSON.stringify(frame));

test.each([
  ['spec §6.1 row 1: a frame with person', { person: 'Ada', messages: [message('1')] }, 'snapshot'],
  ['spec §6.1 row 2: a frame with name', { name: 'Ada' }, 'name'],
  ['spec §6.1 row 3: a frame with modifier', message('1'), 'message'],
  ['spec §6.1 row 4: a frame with category', item('hi'), 'content'],
  ['spec §6.1 row 5: a frame with context', { context: 'Assistant' }, 'context'],
  ['spec §6.1 row 6: a frame with text', { text: 'hi' }, 'text'],
  ['spec §6.1 none of these: a frame with none of these', { html: '<b>hi</b>' }, 'notification'],
  ['spec §6.1 none of these: an empty object', {}, 'notification'],
])('spec §2.5 seen: %s gets its kind and keeps all fields', (_, frame, kind) => {
  expect(decode(frame)).toEqual({ kind, frame });
});

const pairs = KIND_FIELDS.flatMap(([first, kind], i) =>
  KIND_FIELDS.slice(i + 1).map(([second]) => [first, second, kind] as const),
);

test.each(pairs)(
  'spec §6.1 order: of %s and %s, the first decides the kind of a frame',
  (first, second, kind) => {
    const frame = { [second]: 'b', [first]: 'a' };
    expect(decode(frame)).toEqual({ kind, frame });
  },
);

test('contract §5 present: ignores an inherited discriminator', () => {
  onTestFinished(() => void Reflect.deleteProperty(Object.prototype, 'person'));
  Reflect.defineProperty(Object.prototype, 'person', { value: 'Eve', configurable: true });
  expect(decodeUpdate('{"text":"hi"}').kind).toBe('text');
});

const SECRET = 4711;
const inField = (frame: object, ...names: string[]) =>
  names.map((name): [object, string] => [{ ...frame, [name]: SECRET }, name]);

test.each<[object, string]>([
  ...inField({}, 'person', 'modifier', 'category', 'context', 'text'),
  [{ person: 'Ada', messages: { 0: SECRET } }, 'messages'],
  [{ person: 'Ada', messages: [message('1'), SECRET] }, 'messages[1]'],
  [{ person: 'Ada', messages: [{ id: [SECRET] }] }, 'messages[0].id'],
  [{ person: 'Ada', messages: [{ content: [{}, { text: SECRET }] }] }, 'messages[0].content[1].text'],
  [{ name: [SECRET] }, 'name'],
  [{ modifier: 'ai', id: { secret: SECRET } }, 'id'],
  [{ modifier: 'ai', content: [{ blob: SECRET }] }, 'content[0].blob'],
  ...inField({ modifier: 'ai' }, 'content', 'context', 'avatar', 'seen'),
  ...inField({ category: 'text' }, 'text', 'html'),
])('contract §5 types: rejects %j with the path %s and without the value', (frame, where) => {
  const error = decode(frame);
  expect(error).toEqual({ kind: 'rejected', reason: 'wrongType', where });
  expect(JSON.stringify(error)).not.toContain(String(SECRET));
});

test('contract §5 number as id: a number as an id counts as its decimal text', () => {
  const messages = decodeUpdate('{"person":"","messages":[{"id":-0},{"id":1.5},{"id":12345678901234567}]}');
  const ids = ['0', '1.5', '12345678901234568'].map((id) => ({ id }));
  expect(messages).toHaveProperty('frame', { person: '', messages: ids });
  expect(decodeUpdate('{"modifier":"ai","id":-0}')).toHaveProperty('frame', { modifier: 'ai', id: '0' });
});

test('spec §2.5, contract §5 null, other fields, missing: keeps unknown fields with their null, modifiers and categories, and adds no missing field', () => {
  const content = [{ category: 'pdf', size: null, extra: { a: [null] } }];
  const frame = { modifier: 'robot', person_id: 7, room: null, content };
  expect(decode(frame)).toStrictEqual({ kind: 'message', frame });
});

test.each([
  ['notText', [null]],
  ['notJson', ['', '{', '{"text":"hi"', "{'text':'hi'}", '{"text":"hi"} {}']],
  ['notAnObject', ['[]', '1', '"text"', 'true', 'null']],
])('contract §5: rejects a frame as %s: %j', (reason, frames) => {
  for (const text of frames) expect(decodeUpdate(text)).toEqual({ kind: 'rejected', reason });
});

/** Returns a message frame that is nested `levels` deep, by arrays in an unknown field. */
const nested = (levels: number) =>
  `{"modifier":"ai","x":${'['.repeat(levels - 1)}"]"${']'.repeat(levels - 1)}}`;

test('contract §5 rejected: accepts a frame nested 200 levels deep, and rejects a deeper one, 6 MB of brackets, and one with more values than fit in memory, without parsing it', () => {
  expect(decodeUpdate(nested(200)).kind).toBe('message');
  const parse = vi.spyOn(JSON, 'parse');
  for (const deep of [nested(201), nested(3_000_000), '['.repeat(6_000_000)])
    expect(decodeUpdate(deep)).toEqual({ kind: 'rejected', reason: 'tooDeep' });
  const frame = `{"person":"Ada","messages":[${'{},'.repeat(5_000_000)}{}]}`;
  const decoded = decodeUpdate(frame);
  // Not the whole update: a failure would print all of it.
  expect('reason' in decoded ? decoded.reason : decoded.kind).toBe('tooManyValues');
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test.each([
  ['in the frame', '{"modifier":"ai","__proto__":1}'],
  ['in place of a discriminator', '{"__proto__":{"person":"Eve"}}'],
  ['in an unknown field', '{"text":"hi","x":[[{"y":{"__proto__":{}}}]]}'],
  ['with one letter escaped', String.raw`{"text":"hi","_\u005fproto__":1}`],
  ['with all letters escaped', String.raw`{"\u005F\u005f\u0070\u0072\u006F\u0074\u006f\u005f\u005f":1}`],
])('contract §5 rejected: rejects a property __proto__ %s', (_, text) => {
  expect(decodeUpdate(text)).toEqual({ kind: 'rejected', reason: 'protoKey' });
});

test.each([
  ['a text', String.raw`{"text":"__proto__ and \u005f\u005fproto__"}`],
  ['a similar name', '{"text":"hi","__proto":1,"x":{"a__proto__":2}}'],
  ['special names', '{"text":"hi","constructor":1,"prototype":{},"toJSON":"x","then":{"then":1}}'],
])('contract §5: accepts a frame with %s', (_, text) => {
  expect(decodeUpdate(text)).toEqual({ kind: 'text', frame: JSON.parse(text) });
});
