import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { canonicalJson } from '../diff/canonicalJson.ts';
import { messagesJson } from './hashReplay.ts';

const text = fc.string({ unit: codePoint });
const textOrNull = fc.option(text);
const unknownFields = fc.option(
  fc.dictionary(fc.constantFrom('a', 'z', '__proto__', 'toJSON', 'html2'), fc.jsonValue()),
  { freq: 3, nil: {} },
);
const merged = <T extends object>([unknown, known]: readonly [object, T]): T => ({ ...unknown, ...known });
const item = fc
  .tuple(
    unknownFields,
    fc.record({ text: textOrNull, html: textOrNull, category: text, blob: textOrNull }, { requiredKeys: [] }),
  )
  .map(merged);
const content = fc.array(item, { maxLength: 40 }).map((items) => vectorOf(items));
/** Includes values that another application's reducer can keep. */
const context = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.object() });
const message = fc
  .tuple(
    unknownFields,
    fc.record(
      { seen: fc.boolean(), modifier: text, id: text, avatar: text, content, context },
      { requiredKeys: [] },
    ),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  .map((fields) => merged(fields) as Message);

test('contract §7 hash: writes any messages as the canonical JSON of their frames', () => {
  checkProperty(
    fc.property(fc.array(fc.option(message, { nil: undefined, freq: 20 }), { maxLength: 3 }), (messages) => {
      const expected = messages.map((one) => (one ? canonicalJson(toFrame(one)) : 'null'));
      expect([...messagesJson(messages)].join('')).toBe(expected.join(','));
    }),
    250,
  );
});

test.each<[string, object]>([
  ['with the fields of the specification', {}],
  ['with another field', { other: 1 }],
])('returns long messages %s in several pieces', (_, fields) => {
  const long: Message = { ...fields, content: vectorOf([{ text: 'a'.repeat(40_000) }]) };
  const pieces = [...messagesJson(Array.from({ length: 5 }, () => long))];
  expect(pieces.map(({ length }) => Math.round(length / 40_000))).toEqual([2, 2, 1]);
});
