import { beginning, receivedEach, textItem } from './records.mjs';

const WIDTH = 32;

/** Lists of one item that grow past their first leaves: the items of a message, and the messages of a snapshot. */
function vectorGrowth() {
  const first = { modifier: 'ai', content: [{ i: 0 }] };
  const items = Array.from({ length: WIDTH + 2 }, (_, i) => ({ category: 'text', i }));
  const messages = Array.from({ length: WIDTH + 2 }, (_, i) => ({ modifier: 'ai', i }));
  const snapshot = { person: 'Ada Lovelace', messages: [first] };
  return [...beginning(), ...receivedEach(10, [snapshot, ...messages, snapshot, ...items, { text: 'x' }])];
}

/** Names, sides, positions, categories and texts of every kind that the display distinguishes. */
function display() {
  const names = [
    'Ada',
    'ada king lovelace',
    '  Grace   Hopper  ',
    '1815 ada-king (countess) 1852',
    '42 !?',
    '',
    'éloïse ångström',
    'ßtraße ǆ',
    '司馬 相如',
    '𐐨𐐩 𐐪𐐫',
    'a\tb\nc\u00a0d\u2003e',
    `${'x'.repeat(500)} ${'y'.repeat(499)}`,
    `a ${'b'.repeat(600)} ${'c'.repeat(600)} d`,
    `${'1'.repeat(499)}q ${'z '.repeat(400)}${'2'.repeat(499)}r`,
    `${'1'.repeat(500)}q ${'2'.repeat(200)} r${'3'.repeat(500)}`,
  ];
  const categories = ['text', 'audio', 'html', 'image', 'file', 'Text', 'pdf', ''];
  const texts = [undefined, null, '', ' ', '...', '0'];
  const items = categories.flatMap((category) => texts.map((text) => ({ category, text })));
  const frames = [
    ...names.map((name) => ({ name })),
    ...['client', 'admin', 'ai', 'Client', '', 'robot'].map((modifier) => ({ modifier, content: [{}] })),
    { modifier: 'ai', content: [{}, {}] },
    { modifier: 'admin', content: [{}, {}, {}] },
    { modifier: 'client', content: items },
    { category: 'html', html: '<p>x</p>' },
    { category: 'audio', text: 'a' },
    { text: '' },
    { modifier: 'ai' },
    { category: 'text' },
    { category: 'text', text: 'b' },
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** Notifications with and without a label and a text. */
function notificationTexts() {
  const frames = [
    {},
    { modifier: 'ai' },
    {},
    { modifier: 'ai', content: [] },
    {},
    { category: 'text' },
    {},
    { text: 'body' },
    { title: 'x' },
    { context: 'title' },
    {},
    textItem('last'),
    {},
    { text: null },
    {},
    { context: '' },
    {},
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** Notifications about items of each category: their body is the item's text, and nothing else of it. */
function notificationBodies() {
  const frames = [
    { modifier: 'ai', context: 'html', content: [{ category: 'html', text: null, html: '<p>x</p>' }] },
    {},
    { text: 'the text' },
    {},
    { category: 'image', text: null, html: null, blob: 'iVBORw0KGgo=' },
    {},
    { category: 'audio', text: 'what was said', blob: 'AAEC' },
    {},
    { context: 'another title' },
    {},
    { modifier: 'admin', context: 'without items' },
    {},
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** Snapshots with fields that Parley does not use, in place of one another. */
function snapshots() {
  const frames = [
    { person: 'Ada', messages: [{ modifier: 'ai' }], theme: { hue: 4 }, name: 'x' },
    { modifier: 'ai', theme: 'not of a snapshot' },
    { person: 'Ada', room: null },
    { name: 'Ada King', seen: 1 },
    { person: 'Ada King', messages: [{ content: [textItem('a')] }, { content: [] }, { context: 'c' }] },
    { text: 'no item' },
    { context: 'd' },
    { context: 'd' },
    textItem('b'),
    { text: 'b' },
    { name: 'Ada King' },
    { name: 'Ada' },
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

const message = (id) => ({ id, modifier: 'ai', content: [] });

/** When messages arrived: in a first snapshot, alone, and in snapshots that repeat all, some or none of the known messages. */
function arrivals() {
  const snapshot = (...ids) => ({ person: 'Ada', messages: ids.map(message) });
  const many = Array.from({ length: 2 * WIDTH + 4 }, (_, i) => `m${i}`);
  const frames = [
    snapshot(...many),
    message('a'),
    message('b'),
    textItem('x'),
    snapshot(...many, 'a', 'b', 'c', 'd'),
    message('e'),
    snapshot(...many, 'a'),
    snapshot(...many, 'b', 'a', 'c'),
    message('f'),
    snapshot('x', ...many),
    snapshot(),
    message('g'),
    { person: 'Ada', messages: [{ modifier: 'ai' }, message('g')] },
    { person: 'Ada', messages: [{ modifier: 'ai' }, message('g')] },
    { person: 'Ada' },
    message('h'),
    snapshot('h', 'i'),
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** A message and an item with as many fields as the specification names, of which one is another: it stays when others change. */
function otherFields() {
  const item = { category: 'text', text: 'a', html: null, size: 1 };
  const frames = [
    { id: 'm', modifier: 'ai', content: [item], context: 'c', avatar: '', mood: 'good' },
    { text: 'b' },
    { context: 'd' },
    item,
    { text: 'e' },
  ];
  return [...beginning(), ...receivedEach(10, frames)];
}

/** The captures about the conversation. */
export const conversationCaptures = {
  arrivals,
  display,
  'notification-bodies': notificationBodies,
  'notification-texts': notificationTexts,
  'other-fields': otherFields,
  snapshots,
  'vector-growth': vectorGrowth,
};
