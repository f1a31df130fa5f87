import { beginning, receivedEach, textItem } from './records.mjs';

const DEPTH = 200;
const VALUES = 10_000_000;

const OTHER_THAN_TEXT = [0, true, [], {}];
const NOT_AN_ID = [true, [], {}];
const nested = (levels, inner = '') => '['.repeat(levels) + inner + ']'.repeat(levels);

/** Returns an object with one field, for each of the fields and each of the values. */
const objectsWith = (fields, values) =>
  fields.flatMap((field) => values.map((value) => ({ [field]: value })));

/** Values that count as others: a null as an empty value, a number as an id as its decimal text. */
const COUNTED_AS_OTHERS = [
  { name: null },
  { modifier: null, id: null, content: null, context: null, avatar: null, seen: null },
  { category: null, text: 'a' },
  { context: null },
  { modifier: 'ai', id: 12, content: [{ category: null }] },
  { person: 'Ada', messages: [{ id: 12, content: null, avatar: null, seen: null }] },
  { person: null, messages: null },
  { context: '' },
  { name: '' },
];

/** A value of each wrong type in each field, and the values that each field accepts. */
function decoderTypes() {
  const items = objectsWith(['text', 'html', 'blob'], OTHER_THAN_TEXT);
  const wrong = [
    ...objectsWith(['person', 'name', 'modifier', 'category', 'context'], OTHER_THAN_TEXT),
    ...OTHER_THAN_TEXT.map((text) => ({ text })),
    ...[...objectsWith(['id'], NOT_AN_ID), ...objectsWith(['context', 'avatar'], OTHER_THAN_TEXT)].map(
      (field) => Object.assign(field, { modifier: 'ai' }),
    ),
    ...['yes', 0, [], {}].map((seen) => ({ modifier: 'ai', seen })),
    ...['x', 0, {}, true].map((content) => ({ modifier: 'ai', content })),
    ...['x', 0, null, [], true].map((item) => ({ modifier: 'ai', content: [{}, item] })),
    ...OTHER_THAN_TEXT.map((category) => ({ modifier: 'ai', content: [{}, {}, { category }] })),
    ...items.map((item) => ({ modifier: 'ai', content: [item] })),
    ...items.map((item) => Object.assign({ category: 'text' }, item)),
    ...['x', 0, {}, true].map((messages) => ({ person: 'Ada', messages })),
    ...['x', 0, null, [], true].map((message) => ({ person: 'Ada', messages: [{}, message] })),
    ...OTHER_THAN_TEXT.map((modifier) => ({ person: 'Ada', messages: [{ modifier }] })),
    { person: 'Ada', messages: [{}, {}, { content: [{}, { text: 5 }] }] },
    // Two wrong fields: the first one in the order of the specification is named.
    { modifier: 0, id: true, content: 0, context: 0, avatar: 0, seen: 0 },
    { modifier: 'ai', id: true, content: 0, context: 0, avatar: 0, seen: 0 },
    { modifier: 'ai', content: 0, context: 0, avatar: 0, seen: 0 },
    { modifier: 'ai', context: 0, avatar: 0, seen: 0 },
    { modifier: 'ai', avatar: 0, seen: 0 },
    { category: 0, text: 0, html: 0, blob: 0 },
    { category: 'text', text: 0, html: 0, blob: 0 },
    { category: 'text', html: 0, blob: 0 },
    { person: 0, messages: 0 },
  ];
  const right = [
    { modifier: 'ai' },
    { category: 'text', text: null, html: null, blob: null },
    { category: 'text', text: '', html: '', blob: '' },
    { category: '' },
    { id: '', modifier: '', content: [], context: '', avatar: '', seen: false },
    {
      modifier: 'ai',
      content: [{}, { text: null, html: null, blob: null }],
      avatar: 'iVBORw0KGgo=',
      seen: true,
    },
    { text: null },
    { text: '' },
    ...COUNTED_AS_OTHERS,
    { person: '', messages: [{}, { content: [] }] },
  ];
  return [...beginning(), ...receivedEach(10, wrong), ...receivedEach(200, right)];
}

/** Returns a frame with the JSON of a value in a field that Parley does not use. */
const field = (json) => `{"text":"x","a":${json}}`;

/** Frames that are nested exactly as deep as allowed, or one level deeper, also with brackets in texts. */
function decoderDepth() {
  const brackets = '[{'.repeat(DEPTH);
  const siblings = Array.from({ length: DEPTH + 1 }, () => '[]').join();
  const objects = Array.from({ length: DEPTH + 1 }, () => '{}').join();
  const frames = [
    field(nested(DEPTH - 1)),
    field(nested(DEPTH)),
    field(`${'{"a":'.repeat(DEPTH)}0${'}'.repeat(DEPTH)}`),
    `${'{"a":'.repeat(DEPTH - 1)}[]${'}'.repeat(DEPTH - 1)}`,
    `${'{"a":'.repeat(DEPTH)}[]${'}'.repeat(DEPTH)}`,
    nested(DEPTH),
    nested(DEPTH + 1),
    nested(DEPTH + 1).slice(1),
    nested(DEPTH + 1).slice(0, -1),
    '['.repeat(2 * DEPTH + 1),
    '['.repeat(2 * DEPTH + 2),
    '{'.repeat(2 * DEPTH + 2),
    ' '.repeat(DEPTH) + '['.repeat(DEPTH + 1),
    `${'['.repeat(DEPTH)}${' '.repeat(DEPTH + 2)}`,
    // As many brackets as a frame that is too deep, but side by side or in a text.
    field(`[${siblings}]`),
    field(`[${objects}]`),
    field(JSON.stringify(brackets)),
    field(JSON.stringify(`"${brackets}`)),
    field(JSON.stringify(`\\${brackets}`)),
    field(JSON.stringify(`\\"${brackets}`)),
    field(JSON.stringify(`${brackets}\\\\`)),
    field(`[${JSON.stringify(`${'['.repeat(DEPTH)}\\`)},[]]`),
    `{${JSON.stringify(brackets)}:1,"text":"y"}`,
    // A text that does not end, before and after the brackets.
    `{"text":"${brackets}`,
    `{"text":"${brackets}\\"`,
    `{"text":"x\\\\"${'['.repeat(DEPTH)}`,
    `{"text":"x\\"${'['.repeat(DEPTH + 1)}`,
    `${'['.repeat(DEPTH)}"${'['.repeat(DEPTH)}`,
    `${'['.repeat(DEPTH + 1)}"${'['.repeat(DEPTH)}`,
    `"${']'.repeat(DEPTH)}"${'['.repeat(DEPTH + 1)}`,
    `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`,
    `${'[]'.repeat(DEPTH)}${'['.repeat(DEPTH + 1)}`,
    `${'{}'.repeat(DEPTH)}${'{'.repeat(DEPTH + 1)}`,
    { text: 'not too deep' },
  ];
  return [...beginning([{ modifier: 'ai', content: [textItem('before')] }]), ...receivedEach(10, frames)];
}

/** Frames with several faults: the first one in the order of the decoder's checks is the reason. */
function decoderFirstFault() {
  const frames = [
    '[{"__proto__":1}]',
    '["__proto__"]',
    '"__proto__"',
    '{"__proto__":1,"text":5}',
    '{"__proto__":1',
    `${nested(DEPTH + 1)}x`,
    `[${nested(DEPTH)}],"__proto__"`,
    { person: 5, messages: [{ id: true }] },
    { person: 'Ada', messages: [{ seen: 1, content: [{ text: 5, category: 5 }] }, 5] },
    { modifier: 5, id: true, content: 5 },
    { text: 'no fault' },
  ];
  return [...beginning([{ modifier: 'ai', content: [textItem('before')] }]), ...receivedEach(10, frames)];
}

/** A frame with one value too many, of each kind, after a text, also after one that ends with a backslash; and one with as many as allowed, because commas in a text and spaces are not counted. */
function tooManyValues() {
  const commas = ','.repeat(VALUES);
  const rest = `[{:1${commas.slice(2)}`;
  const frames = [`""${rest}`, `"\\\\"${rest}`, `",,"${commas} "`, { name: 'Ada King' }];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** The captures about the decoder. */
export const decoderCaptures = {
  'decoder-types': decoderTypes,
  'decoder-depth': decoderDepth,
  'decoder-first-fault': decoderFirstFault,
  'too-many-values.gz': tooManyValues,
};
