import { expect, test } from 'vitest';
import type { ContentItem, Update } from '../protocol/update.ts';
import { applyUpdate } from './applyUpdate.ts';
import { emptyConversation } from './conversation.ts';
import { findNewSound, soundAt } from './blobReference.ts';

const sound: ContentItem = { category: 'audio', text: null, blob: 'AAEC' };
const text: ContentItem = { category: 'text', text: 'hi' };
const silent: ContentItem = { category: 'audio', text: 'words', blob: null };

const message = (modifier: string, ...content: ContentItem[]): Update => ({
  kind: 'message',
  frame: { id: 'm', modifier, content },
});
const content = (item: ContentItem): Update => ({ kind: 'content', frame: item });

const after = (...updates: Update[]) => updates.reduce(applyUpdate, emptyConversation);
const newSoundAfter = (...updates: Update[]) =>
  findNewSound(after(...updates), updates.at(-1) ?? content(text));

test('returns the place of a new message’s sound', () => {
  expect(newSoundAfter(message('ai', text), message('ai', text, sound))).toEqual({ message: 1, item: 1 });
});

test('returns the first of several sounds', () => {
  expect(newSoundAfter(message('admin', silent, sound, sound))).toEqual({ message: 0, item: 1 });
});

test('returns the place of a content item that is a sound', () => {
  expect(newSoundAfter(message('ai', text, text), content(sound))).toEqual({ message: 0, item: 2 });
});

test.each<[string, Update[]]>([
  ['a text', [message('ai', text)]],
  ['audio without data', [message('ai', silent, { ...sound, blob: '' })]],
  ['a text after a sound', [message('ai', sound), content(text)]],
  ['the text of a sound', [message('ai', sound), { kind: 'text', frame: { text: 'words' } }]],
  ['a sound of the person’s own message', [message('client', sound)]],
  ['a sound that is added to the person’s own message', [message('client', text), content(sound)]],
  ['a snapshot', [{ kind: 'snapshot', frame: { person: 'Ada', messages: [{ id: '1', content: [sound] }] } }]],
  ['a sound without a message', [content(sound)]],
  ['a message without content', [{ kind: 'message', frame: { modifier: 'ai' } }]],
])('returns no sound for %s', (_, updates) => {
  expect(newSoundAfter(...updates)).toBeUndefined();
});

test('returns the sound at a place, with its message’s id', () => {
  expect(soundAt(after(message('client', text, sound)), { message: 0, item: 1 })).toEqual({
    id: 'm',
    blob: 'AAEC',
  });
});

test.each([
  { message: 0, item: 0 },
  { message: 0, item: 2 },
  { message: 0, item: 1000 },
  { message: 1, item: 0 },
  { message: 1_000_000, item: 0 },
])('returns undefined for a place without a sound (%j)', (place) => {
  expect(soundAt(after(message('ai', text, sound)), place)).toBeUndefined();
});
