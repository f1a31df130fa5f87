import { action, beginning, ownActions, receivedEach, textItem } from './records.mjs';
import { ASSISTANT, DELETION } from './windowValues.mjs';

/** Acts in an order that a person seldom takes: each one on what the one before has left. */
const ACTS = [
  ['view/changed', { view: 'login' }],
  ['signInForm/checked', { error: 'Not a valid email.' }],
  ['signInForm/edited', { email: 'ada@example.org', name: '' }],
  ['signInForm/answered', { error: null }],
  ['signInForm/submitted'],
  ['signInForm/edited', { email: 'ada@example.org', name: 'Ada' }],
  ['signInForm/charactersShown', { isShown: true }],
  ['signInForm/cleared'],
  ['startFailure/changed', { failure: { canSave: true } }],
  ['view/changed', { view: 'conversation' }],
  ['textBox/opened', { text: 'a' }],
  ['textBox/opened', { text: 'b' }],
  ['textBox/edited', { text: '' }],
  ['textBox/closed'],
  ['textBox/edited', { text: 'c' }],
  ['dialog/opened', { dialog: 'deleteData', contents: DELETION }],
  ['dialog/deletionConfirmed', { platformFile: false }],
  ['dialog/platformFileChosen', { platformFile: true }],
  ['dialog/closed'],
  ['dialog/opened', { dialog: 'assistant', contents: ASSISTANT }],
  ['dialog/assistantSubmitted', { work: 'test' }],
  ['dialog/assistantSubmitted', { work: 'save' }],
  ['dialog/assistantAnswered', { result: { kind: 'failed', field: null, message: 'x' } }],
  ['place/left', { messages: 0, isAway: true }],
  ['place/returned', { messages: 1 }],
  ['place/left', { messages: 1, isAway: false }],
  ['place/left', { messages: 1, isAway: true }],
];

/** Acts that follow each other in the same window, and the deletion of the person's data while a draft is open. */
const windowOrders = () => [
  action(0, 'window/opened', { number: 1 }),
  ...ownActions(10, 1, ACTS),
  action(400, 'data/deleted'),
  ...ownActions(410, 1, [['textBox/opened', { text: 'a draft' }]]),
];

const messages = (count) =>
  Array.from({ length: count }, (_, i) => ({ id: `m${i}`, modifier: 'ai', content: [textItem(`${i}`)] }));

/** Frames at the edges of what the decoder and the fold accept, and snapshots that fill their lists exactly. */
const frameEdges = () => [
  ...beginning(),
  ...receivedEach(10, [
    { modifier: 'ai', id: 1.5 },
    { modifier: 'ai', content: [{ category: 'text' }] },
    { text: null },
    { id: true, seen: 'x', content: 5 },
    '{"modifier":0,"__proto__":1}',
    { person: 'Ada', messages: [{ id: '' }, { id: 'a' }], words: ['continue', 'stop', 'stop', 'again', 'x'] },
    { person: 'Ada', messages: messages(32) },
    { id: 'after-32', modifier: 'ai', content: [textItem('a')] },
    { person: 'Ada', messages: messages(64), words: 'stop again' },
    { id: 'after-64', modifier: 'ai', content: [textItem('b')] },
  ]),
];

/** More than 99 unread messages, and the first window that shows them. */
const unreadHundred = () => [
  ...beginning(),
  ...receivedEach(10, messages(101)),
  action(10_500, 'window/opened', { number: 1 }),
];

export const edgeCaptures = {
  'window-orders': windowOrders,
  'frame-edges': frameEdges,
  'unread-hundred.gz': unreadHundred,
};
