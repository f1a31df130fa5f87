/**
 * The mutations of the replayed code that change no result of any replay, in groups with one reason. `verify` cannot find them. They do not
 * count in the score, and may be at most 0.03 of all mutations.
 */

/** Mutations of one file: the code, without line breaks, and what replaces it. */
const of = (file, ...mutations) =>
  mutations.map(([code, replacement]) => ({ file: `src/shared/${file}`, code, replacement }));

const COUNTS = "count(text, '[', limit + 1) + count(text, '{', limit + 1)";
const SEARCH = "text.includes('__proto__') || text.includes('\\\\u00')";
const COMPARE =
  '{ let count = 0; for (const name in value) if (name !== names[count++]) return false; return count === names.length; }';

export const EQUIVALENT_MUTATIONS = [
  {
    reason:
      'What stays the same keeps its reference, so that windows do not render it again. A copy has the same content.',
    mutations: [
      ...of(
        'conversation/applyUpdate.ts',
        ['person === conversation.person', 'false'],
        ['message.context === context', 'false'],
        ['item.text === text', 'false'],
        ['content === before', 'false'],
        ['messages === conversation.messages', 'false'],
      ),
      ...of('conversation/vector.ts', ['changed === lastItem', 'false']),
      ...of('window/windows.ts', ['own === window.own', 'false']),
    ],
  },
  {
    reason:
      'A message or an item with exactly the fields of the specification is copied by a literal, which is faster. A spread makes the same copy.',
    mutations: of(
      'conversation/conversation.ts',
      ["'id modifier content context avatar seen'", '""'],
      ["'category text html blob'", '""'],
      ["' '", '""'],
      [COMPARE, '{}'],
      ['name !== names[count++]', 'true'],
      ['name !== names[count++]', 'false'],
      ['count++', 'count--'],
      ['count === names.length', 'true'],
      ['count === names.length', 'false'],
      ['count === names.length', 'count !== names.length'],
      ['!hasFields(message, MESSAGE_FIELDS)', 'true'],
      ['!hasFields(item, ITEM_FIELDS)', 'true'],
    ),
  },
  {
    reason:
      'Quick tests exclude most frames. Without them, or with broader ones, a frame is scanned to the same result.',
    mutations: [
      ...of(
        'protocol/isTooDeep.ts',
        [`${COUNTS} <= limit`, 'false'],
        [`${COUNTS} <= limit`, `${COUNTS} < limit`],
        ["'['", '""'],
        ["'{'", '""'],
        ['at !== -1', 'true'],
        ['found < most', 'true'],
        ['found < most', 'found <= most'],
        ['at !== -1 && found < most', 'at !== -1 || found < most'],
        ['at + 1', 'at - 1'],
        ['-1', '+1'],
      ),
      ...of('protocol/hasProtoKey.ts', [SEARCH, 'true'], ["'__proto__'", '""'], ["'\\\\u00'", '""']),
    ],
  },
];
