import { describe, expect, it } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import type { ContentItem, Message, Update } from '#shared/protocol/update.ts';
import { newItems, partsToAnnounce } from './Announcer.tsx';

const text = (words: string): ContentItem => ({ category: 'text', text: words });
const message = (id: string, ...content: ContentItem[]) => ({ id, modifier: 'ai', content });
const markdown = (words: string): ContentItem => ({ ...text(words), format: 'markdown' });
const ada = fromSnapshot({ person: 'Ada', messages: [message('1', text('one'))] });
const snapshotOf = (...messages: Message[]) => fromSnapshot({ person: 'Ada', messages });
/** Returns the new items without their messages. */
const itemsOf = (before: Conversation, now: Conversation) =>
  newItems(before, now)?.map(({ item }) => item) ?? null;
const after = (before: Conversation, ...updates: Update[]) => updates.reduce(applyUpdate, before);

describe('newItems', () => {
  it('returns the items of an appended message', () => {
    const now = after(ada, { kind: 'message', frame: message('2', text('two'), text('three')) });
    expect(itemsOf(ada, now)).toEqual([text('two'), text('three')]);
  });

  it('returns each item with its message', () => {
    const now = after(
      ada,
      { kind: 'content', frame: text('more of one') },
      { kind: 'message', frame: message('2', text('two')) },
    );
    expect(newItems(ada, now)?.map(({ message: { id } }) => id)).toEqual(['1', '2']);
  });

  it('returns an appended item and an appended message in their order', () => {
    const now = after(
      ada,
      { kind: 'content', frame: text('more of one') },
      { kind: 'message', frame: message('2', text('two')) },
    );
    expect(itemsOf(ada, now)).toEqual([text('more of one'), text('two')]);
  });

  it.each<Update>([
    { kind: 'text', frame: { text: 'one and a half' } },
    { kind: 'context', frame: { context: 'Somebody' } },
    { kind: 'name', frame: { name: 'Ada King' } },
  ])('returns nothing for a $kind update', (update) => {
    expect(itemsOf(ada, after(ada, update))).toEqual([]);
  });

  it('returns the items of the first message of an empty conversation', () => {
    const empty = fromSnapshot({ person: 'Ada', messages: [] });
    expect(itemsOf(empty, after(empty, { kind: 'message', frame: message('1', text('one')) }))).toEqual([
      text('one'),
    ]);
  });

  it('returns null for the first snapshot and for another conversation', () => {
    expect(itemsOf(emptyConversation, ada)).toBeNull();
    expect(itemsOf(ada, fromSnapshot({ person: 'Bob', messages: [message('x', text('hi'))] }))).toBeNull();
    expect(itemsOf(ada, emptyConversation)).toBeNull();
  });

  it('returns only the new items when the same conversation is received again after a reconnect', () => {
    const again = fromSnapshot({
      person: 'Ada',
      messages: [message('1', text('one')), message('2', text('two'))],
    });
    expect(itemsOf(ada, again)).toEqual([text('two')]);
  });

  it('returns only the new items of a snapshot that begins with a later message than before', () => {
    const before = snapshotOf(
      message('1', text('one')),
      message('2', text('two')),
      message('3', text('three')),
    );
    const shorter = snapshotOf(message('3', text('three'), text('more')), message('4', text('four')));
    expect(itemsOf(before, shorter)).toEqual([text('more'), text('four')]);
    expect(itemsOf(before, snapshotOf(message('3', text('three'))))).toEqual([]);
  });

  it('returns null for a small snapshot without a known message', () => {
    const before = snapshotOf(message('1', text('one')), message('2', text('two')));
    expect(itemsOf(before, snapshotOf(message('1', text('one'))))).toBeNull();
    expect(itemsOf(before, snapshotOf(message('9', text('nine'))))).toBeNull();
  });

  it('returns null for a small snapshot of another message without an id', () => {
    const before = snapshotOf({ modifier: 'ai', content: [text('one'), text('two')] });
    const other = snapshotOf({ modifier: 'ai', content: [text('a'), text('b'), text('c')] });
    expect(itemsOf(before, other)).toBeNull();
    expect(itemsOf(before, snapshotOf({ modifier: 'ai', content: [text('one'), text('two')] }))).toEqual([]);
  });

  it('returns the first item of a message without an id', () => {
    const before = snapshotOf({ modifier: 'ai' });
    expect(itemsOf(before, after(before, { kind: 'content', frame: text('one') }))).toEqual([text('one')]);
  });

  it('returns the last twenty of many new items', () => {
    const items = Array.from({ length: 100 }, (_, index) => text(`${index}`));
    const now = after(ada, { kind: 'message', frame: message('2', ...items) });
    expect(itemsOf(ada, now)).toEqual(items.slice(-20));
  });

  it('returns the first item of each run of one format, because the others continue it', () => {
    const thought = { ...text('why'), format: 'reasoning' };
    const now = after(ada, {
      kind: 'message',
      frame: message('2', thought, markdown('# a'), markdown('b'), text('c'), text('d')),
    });
    expect(itemsOf(ada, now)).toEqual([thought, markdown('# a'), text('c'), text('d')]);
    const before = snapshotOf(message('1', markdown('a')));
    expect(itemsOf(before, after(before, { kind: 'content', frame: markdown('b') }))).toEqual([]);
  });
});

describe('partsToAnnounce', () => {
  const NOTHING = { parts: 0, lastText: '' };

  it('holds the last part back until it is complete, and returns each part once', () => {
    const first = partsToAnnounce(['a', 'b', 'c'], NOTHING, false);
    expect(first.texts).toEqual(['a', 'b']);
    const second = partsToAnnounce(['a', 'b', 'c and more', 'd'], first.now, false);
    expect(second.texts).toEqual(['', 'c and more']);
    const third = partsToAnnounce(['a', 'b', 'c and more', 'd'], second.now, true);
    expect(third.texts).toEqual(['', 'd']);
    expect(partsToAnnounce(['a', 'b', 'c and more', 'd'], third.now, true).texts).toEqual(['']);
  });

  it('returns what was added to a part that was announced before it was complete', () => {
    const { now } = partsToAnnounce(['one'], NOTHING, true);
    const growing = partsToAnnounce(['one and'], now, false);
    expect(growing.texts).toEqual(['']);
    expect(partsToAnnounce(['one and a half', 'two'], growing.now, false).texts).toEqual(['and a half']);
    expect(partsToAnnounce(['another'], now, true).texts).toEqual(['']);
  });

  it('returns nothing of an item without text', () => {
    const { texts, now } = partsToAnnounce([], NOTHING, true);
    expect(texts).toEqual([]);
    expect(partsToAnnounce(['a'], now, true).texts).toEqual(['a']);
  });
});
