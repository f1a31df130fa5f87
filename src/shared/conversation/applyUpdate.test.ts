import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldFrames } from '#sim/checks/foldFrames.ts';
import { anyFrame } from '#tests/builders/updateKinds.ts';
import { checkAll } from '#tests/builders/checkProperty.ts';
import { conversationOf, item, message, updateOf } from '#tests/builders/updateOf.ts';
import { decodeUpdate, type ContentItem, type Update } from '../protocol/update.ts';
import { applyUpdate, hasTarget, notificationText } from './applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot, NO_WORDS, wordsOf } from './conversation.ts';
import { findNewSound, soundAt } from './blobReference.ts';

const then = (conversation: Conversation, ...frames: readonly object[]) =>
  frames.map(updateOf).reduce(applyUpdate, conversation);

const two = conversationOf({ person: 'Ada Lovelace', messages: [message('1'), message('2')] });

test.each([
  ['the current name', two, { name: 'Ada Lovelace' }],
  ['the current context', two, { context: 'Assistant' }],
  ['the current text', two, { text: '2' }],
  ['a notification', two, {}],
  ['a content item without a current message', emptyConversation, item('x')],
  ['a context without a current message', emptyConversation, { context: 'x' }],
  ['a text without a current message', emptyConversation, { text: 'x' }],
])('spec §6.1 none of these: %s returns the same conversation', (_, before, frame) => {
  expect(then(before, frame)).toBe(before);
});

const noItem = conversationOf(message('1', { content: [] }));
const noContent = conversationOf({ modifier: 'ai' });

test.each([
  ['snapshot', { person: 'x' }, [true, true, true, true]],
  ['name', { name: 'x' }, [true, true, true, true]],
  ['message', { modifier: 'ai' }, [true, true, true, true]],
  ['content', { category: 'text' }, [false, true, true, true]],
  ['context', { context: 'x' }, [false, true, true, true]],
  ['text', { text: 'x' }, [false, false, false, true]],
  ['notification', {}, [false, false, false, true]],
])(
  'contract §5 ignored: a %s has a target or none without a message, without content, with empty content, with an item',
  (_, frame, expected) => {
    const conversations = [emptyConversation, noContent, noItem, two];
    expect(conversations.map((one) => hasTarget(one, updateOf(frame)))).toEqual(expected);
  },
);

test('spec §6.1 row 1, §6.1 row 2, §6.1 row 3, §6.1 row 4, §6.1 row 5, §6.1 row 6, §2.5 content, §2.5 id, §2.6 messages, contract §5 duplicate ids, null, other fields: gives the same result as a simple fold with arrays, which keeps every field', () => {
  checkAll(100, [fc.array(anyFrame(), { maxLength: 60 })], (texts) => {
    const updates = texts.map(decodeUpdate).filter((update) => update.kind !== 'rejected');
    const { person, messages } = foldFrames(texts);
    expect(toSnapshot(updates.reduce(applyUpdate, emptyConversation))).toEqual({ person, messages });
  });
});

const wordsIn = (words: unknown) => wordsOf(Object.assign({ person: 'Ada' }, { words }));

test('reads the words that a snapshot names, each once and in one order, and none from another value', () => {
  expect(wordsIn(['again', 'stop', 'again'])).toEqual(['stop', 'again']);
  expect(wordsIn(['stop', 'again', 'continue'])).toEqual(['stop', 'again', 'continue']);
  for (const other of [undefined, null, 'stop', 3, {}, [], ['delete', 7, null, ['stop'], 'STOP']])
    expect(wordsIn(other)).toBe(NO_WORDS);
});

const SOUND: ContentItem = { category: 'audio', text: null, blob: 'AAEC' };
const TEXT: ContentItem = { category: 'text', text: 'hi' };
const SILENT: ContentItem = { category: 'audio', text: 'words', blob: null };

const messageUpdate = (modifier: string, ...items: ContentItem[]): Update => ({
  kind: 'message',
  frame: { id: 'm', modifier, content: items },
});
const contentUpdate = (frame: ContentItem): Update => ({ kind: 'content', frame });

const conversationAfter = (...updates: Update[]) => updates.reduce(applyUpdate, emptyConversation);
const newSoundAfter = (...updates: Update[]) =>
  findNewSound(conversationAfter(...updates), updates.at(-1) ?? contentUpdate(TEXT));

test('returns the place of a sound in a new message, or of a content item that is a sound, and the sound at a place, with its message’s id', () => {
  const appended = newSoundAfter(messageUpdate('ai', TEXT), messageUpdate('ai', TEXT, SOUND));
  expect(appended).toEqual({ message: 1, item: 1 });
  const content = newSoundAfter(messageUpdate('ai', TEXT, TEXT), contentUpdate(SOUND));
  expect(content).toEqual({ message: 0, item: 2 });
  const conversation = conversationAfter(messageUpdate('client', TEXT, SOUND));
  expect(soundAt(conversation, { message: 0, item: 1 })).toEqual({ id: 'm', blob: 'AAEC' });
});

test.each<[string, Update[]]>([
  ['audio without data', [messageUpdate('ai', SILENT, { ...SOUND, blob: '' })]],
  ['a text after a sound', [messageUpdate('ai', SOUND), contentUpdate(TEXT)]],
  ['a sound of the person’s own message', [messageUpdate('client', SOUND)]],
  ['a snapshot', [{ kind: 'snapshot', frame: { person: 'Ada', messages: [{ id: '1', content: [SOUND] }] } }]],
  ['a message without content', [{ kind: 'message', frame: { modifier: 'ai' } }]],
])('returns no sound for %s', (_, updates) => expect(newSoundAfter(...updates)).toBeUndefined());

const textAfter = (...frames: object[]) => notificationText(conversationOf(message('1'), ...frames));

test('spec §6.1 none of these: a notification’s text is the current message’s context and its last item’s text, or empty', () => {
  const both = message('2', { context: 'Ada', content: [item('a'), item('b')] });
  expect(textAfter(both)).toEqual({ title: 'Ada', body: 'b' });
  expect(textAfter({ context: 'Typing' }, { text: 'changed' })).toEqual({ title: 'Typing', body: 'changed' });
  expect(textAfter({ modifier: 'ai', content: [item('a')] })).toEqual({ title: '', body: 'a' });
  expect(textAfter(message('2', { content: [] }))).toEqual({ title: 'Assistant', body: '' });
});
