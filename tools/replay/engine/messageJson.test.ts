import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Message, toFrame } from '#shared/conversation/conversation.ts';
import { vectorOf } from '#shared/conversation/vector.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { codePoint } from '#tests/builders/codePoint.ts';
import { canonicalJson } from './canonicalJson.ts';
import { messageJson } from './messageJson.ts';

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

test('contract §7 hash: writes any message as the canonical JSON of its frame', () => {
  checkProperty(
    fc.property(message, (one) => {
      expect(messageJson(one)).toBe(canonicalJson(toFrame(one)));
    }),
    500,
  );
});
