import { describe, expect, it } from 'vitest';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import type { ContentItem, Update } from '#shared/protocol/update.ts';
import { newItems } from './newItems.ts';

const text = (words: string): ContentItem => ({ category: 'text', text: words });
const message = (id: string, ...content: ContentItem[]) => ({ id, modifier: 'ai', content });
const ada = fromSnapshot({ person: 'Ada', messages: [message('1', text('one'))] });
const after = (before: Conversation, ...updates: Update[]) => updates.reduce(applyUpdate, before);

describe('newItems', () => {
  it('a message appended, its items', () => {
    const now = after(ada, { kind: 'message', frame: message('2', text('two'), text('three')) });
    expect(newItems(ada, now)).toEqual([text('two'), text('three')]);
  });

  it('an item and a message at once, both in their order', () => {
    const now = after(
      ada,
      { kind: 'content', frame: text('more of one') },
      { kind: 'message', frame: message('2', text('two')) },
    );
    expect(newItems(ada, now)).toEqual([text('more of one'), text('two')]);
  });

  it.each<Update>([
    { kind: 'text', frame: { text: 'one and a half' } },
    { kind: 'context', frame: { context: 'Somebody' } },
    { kind: 'name', frame: { name: 'Ada King' } },
  ])('a $kind update, nothing new', (update) => {
    expect(newItems(ada, after(ada, update))).toEqual([]);
  });

  it('the first message of an empty conversation, its items', () => {
    const empty = fromSnapshot({ person: 'Ada', messages: [] });
    expect(newItems(empty, after(empty, { kind: 'message', frame: message('1', text('one')) }))).toEqual([
      text('one'),
    ]);
  });

  it('the first snapshot, or another conversation, null', () => {
    expect(newItems(emptyConversation, ada)).toBeNull();
    expect(newItems(ada, fromSnapshot({ person: 'Bob', messages: [message('x', text('hi'))] }))).toBeNull();
    expect(newItems(ada, emptyConversation)).toBeNull();
  });

  it('the same conversation again after a reconnect, only what came meanwhile', () => {
    const again = fromSnapshot({
      person: 'Ada',
      messages: [message('1', text('one')), message('2', text('two'))],
    });
    expect(newItems(ada, again)).toEqual([text('two')]);
  });

  it('very many at once, the last twenty', () => {
    const items = Array.from({ length: 100 }, (_, index) => text(`${index}`));
    const now = after(ada, { kind: 'message', frame: message('2', ...items) });
    expect(newItems(ada, now)).toEqual(items.slice(-20));
  });
});
