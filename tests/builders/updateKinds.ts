/** Arbitrary frames of each kind of update, for comparison of the product with `foldFrames`. */
import * as fc from 'fast-check';

/** Generates text frames of a platform, most of them well-formed; `null` is a frame that is not text. */
export function anyFrame(): fc.Arbitrary<string | null> {
  return fc.oneof(
    { weight: 20, arbitrary: anyUpdate().map((update) => JSON.stringify(update)) },
    { weight: 1, arbitrary: anyUpdate().map((update) => JSON.stringify({ ...update, ['__proto__']: 1 })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constant(null) },
  );
}

const mostly = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 30, arbitrary },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constant(null) },
  );

const text = fc.string({ maxLength: 6 });
const textOrNull = fc.option(text, { freq: 5 });
/** Fields that the specification does not name. */
const others = { seq: fc.nat(), toJSON: text, meta: fc.jsonValue({ maxDepth: 1 }) };

const CONTENT = { category: mostly(text), text: mostly(textOrNull), html: textOrNull, blob: textOrNull };
const content = fc.record({ ...CONTENT, ...others }, { requiredKeys: [] });
const MESSAGE = {
  modifier: mostly(fc.constantFrom('ai', 'client', 'admin')),
  id: mostly(fc.oneof(text, fc.nat(9))),
  content: mostly(fc.array(content, { maxLength: 3 })),
  context: mostly(text),
  avatar: mostly(text),
  seen: mostly(fc.boolean()),
};

const SNAPSHOT = {
  person: mostly(text),
  messages: mostly(fc.array(fc.record({ ...MESSAGE, ...others }, { requiredKeys: [] }), { maxLength: 4 })),
  name: text,
  words: mostly(fc.shuffledSubarray(['stop', 'again', 'continue', 'delete'])),
};

/** Generates an update of each kind, also with fields of kinds later in the specification's order. */
const anyUpdate = (): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.record(SNAPSHOT, { requiredKeys: ['person'] }) },
    { weight: 1, arbitrary: fc.record({ name: mostly(text), modifier: text }, { requiredKeys: ['name'] }) },
    { weight: 3, arbitrary: fc.record({ ...MESSAGE, ...others }, { requiredKeys: ['modifier'] }) },
    { weight: 4, arbitrary: fc.record({ ...CONTENT, ...others }, { requiredKeys: ['category'] }) },
    { weight: 2, arbitrary: fc.record({ context: mostly(text), text }, { requiredKeys: ['context'] }) },
    { weight: 3, arbitrary: fc.record({ text: mostly(textOrNull), ...others }, { requiredKeys: ['text'] }) },
    { weight: 1, arbitrary: fc.record(others, { requiredKeys: [] }) },
  );
