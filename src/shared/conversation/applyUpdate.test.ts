import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldFrames } from '#tests/builders/mainFold.ts';
import { anyFrame } from '#tests/builders/mainFrames.ts';
import { holds } from '#tests/builders/property.ts';
import { conversationOf, item, message, updateOf } from '#tests/builders/updates.ts';
import { decodeUpdate } from '../protocol/decodeUpdate.ts';
import { applyUpdate, currentItem, currentMessage, takesEffect } from './applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from './conversation.ts';
import { itemAt } from './vector.ts';

const then = (conversation: Conversation, ...frames: readonly object[]) =>
  frames.map(updateOf).reduce(applyUpdate, conversation);
const messagesOf = (conversation: Conversation) => toSnapshot(conversation).messages;

const two = conversationOf({ person: 'Ada Lovelace', messages: [message('1'), message('2')] });

describe('spec §6.1: what each update does', () => {
  test('spec §6.1 row 1: a snapshot, person and messages replaced and the newest message current', () => {
    const after = then(two, { person: 'Bob', messages: [message('8'), message('9')] });
    expect(toSnapshot(after)).toEqual({ person: 'Bob', messages: [message('8'), message('9')] });
    expect(currentMessage(after)?.id).toBe('9');
  });

  test('spec §6.1 row 1: a snapshot without messages, none left', () => {
    expect(toSnapshot(then(two, { person: 'Bob' }))).toEqual({ person: 'Bob', messages: [] });
  });

  test('spec §6.1 row 2: a name, the person’s name replaced and nothing else', () => {
    const after = then(two, { name: 'Ada King' });
    expect(after.person).toBe('Ada King');
    expect(after.messages).toBe(two.messages);
  });

  test('spec §6.1 row 3: a frame with modifier, a message appended that becomes the current one', () => {
    const after = then(two, message('3'));
    expect(messagesOf(after)).toEqual([message('1'), message('2'), message('3')]);
    expect(currentMessage(after)?.id).toBe('3');
  });

  test('spec §6.1 row 4: a content item, appended to the current message', () => {
    const after = then(two, item('more'));
    expect(messagesOf(after)).toEqual([message('1'), message('2', { content: [item('2'), item('more')] })]);
  });

  test('spec §6.1 row 5: a context, set on the current message', () => {
    const after = then(two, { context: 'Typing' });
    expect(messagesOf(after)).toEqual([message('1'), message('2', { context: 'Typing' })]);
  });

  test('spec §6.1 row 6: a text, set on the last content item of the current message', () => {
    const after = then(two, item('more'), { text: 'changed' });
    expect(messagesOf(after)).toEqual([
      message('1'),
      message('2', { content: [item('2'), item('changed')] }),
    ]);
  });

  test('contract §5: a text of null, set as it is', () => {
    expect(currentItem(then(two, { text: null }))?.text).toBeNull();
  });

  test('spec §6.1 row 7: a notification, nothing changes', () => {
    expect(then(two, { html: 'x' })).toBe(two);
  });

  test('contract §5 duplicate ids, spec §2.5 id: a message with an id that is there already, appended', () => {
    expect(messagesOf(then(two, message('1'))).map(({ id }) => id)).toEqual(['1', '2', '1']);
  });

  test('contract §5: a message without content, none added until an item comes', () => {
    const without = then(two, { modifier: 'ai', id: '3' });
    expect(messagesOf(without).at(-1)).toStrictEqual({ modifier: 'ai', id: '3' });
    expect(messagesOf(then(without, { text: 'x' })).at(-1)).toStrictEqual({ modifier: 'ai', id: '3' });
    expect(messagesOf(then(without, item('x'))).at(-1)?.content).toEqual([item('x')]);
  });

  test('contract §5 other fields: fields that the specification does not name, kept through every later update', () => {
    const odd = { modifier: 'ai', mood: { is: 'good' }, content: [{ category: 'text', size: 7 }] };
    const after = then(emptyConversation, odd, { text: 'x' }, { context: 'y' });
    expect(messagesOf(after)).toEqual([
      { ...odd, content: [{ category: 'text', size: 7, text: 'x' }], context: 'y' },
    ]);
  });
});

describe('unchanged means the same reference', () => {
  test.each([
    ['the name that it is', { name: 'Ada Lovelace' }],
    ['the context that it is', { context: 'Assistant' }],
    ['the text that it is', { text: '2' }],
    ['a notification', {}],
  ])('%s, the same conversation', (_, frame) => {
    expect(then(two, frame)).toBe(two);
  });

  test.each([
    ['a content item', item('x')],
    ['a context', { context: 'x' }],
    ['a text', { text: 'x' }],
  ])('%s without a current message, the same conversation', (_, frame) => {
    expect(then(emptyConversation, frame)).toBe(emptyConversation);
  });

  test('a text without a content item, the same conversation', () => {
    const empty = conversationOf(message('1', { content: [] }));
    expect(then(empty, { text: 'x' })).toBe(empty);
  });

  test.each([
    ['a message', message('3')],
    ['a content item', item('x')],
    ['a context', { context: 'x' }],
    ['a text', { text: 'x' }],
    ['a name', { name: 'x' }],
  ])('%s, every message before the current one the same', (_, frame) => {
    expect(itemAt(then(two, frame).messages, 0)).toBe(itemAt(two.messages, 0));
  });

  test('a context, the content of its message the same', () => {
    const after = then(two, { context: 'x' });
    expect(currentMessage(after)?.content).toBe(currentMessage(two)?.content);
  });

  test('a text in a message of many items, the others the same', () => {
    const before = then(two, item('x'));
    const content = currentMessage(before)?.content;
    const changed = currentMessage(then(before, { text: 'y' }))?.content;
    expect(content && itemAt(content, 0)).toBe(changed && itemAt(changed, 0));
    expect(content && itemAt(content, 0)).toEqual(item('2'));
  });
});

describe('contract §5: what an update is about', () => {
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
    'contract §5 ignored: a %s with no message, one without content, one with none, one with an item, applied or ignored',
    (_, frame, expected) => {
      const update = updateOf(frame);
      expect(
        [emptyConversation, noContent, noItem, two].map((conversation) => takesEffect(conversation, update)),
      ).toEqual(expected);
    },
  );
});

test('10,000 items in one message, each there and the texts where they belong', () => {
  const frames = Array.from({ length: 10_000 }, (_, i) => [item(`${i}`), { text: `text ${i}` }]).flat();
  const after = then(two, ...frames);
  const content = messagesOf(after).at(-1)?.content;
  expect(content).toHaveLength(10_001);
  expect(content?.slice(1).every(({ text }, i) => text === `text ${i}`)).toBe(true);
  expect(messagesOf(two).at(-1)?.content).toEqual([item('2')]);
});

/** As the session folds. */
function fold(frames: readonly (string | null)[]): Conversation[] {
  const versions = [emptyConversation];
  for (const text of frames) {
    const update = decodeUpdate(text);
    const before = versions.at(-1) ?? emptyConversation;
    if (update.kind !== 'rejected') versions.push(applyUpdate(before, update));
  }
  return versions;
}

describe('any frames', () => {
  const frames = fc.array(anyFrame(), { maxLength: 60 });

  test('spec §6.1: any frames, what a plain fold of lists makes of them', () => {
    holds(
      fc.property(frames, (texts) => {
        const { person, messages } = foldFrames(texts);
        expect(toSnapshot(fold(texts).at(-1) ?? emptyConversation)).toEqual({ person, messages });
      }),
      500,
    );
  });

  test('any frames, an older version never changes', () => {
    holds(
      fc.property(frames, (texts) => {
        const before = fold(texts);
        const written = before.map((version) => JSON.stringify(version));
        fold(texts);
        for (const text of texts) {
          const update = decodeUpdate(text);
          if (update.kind !== 'rejected') before.forEach((version) => applyUpdate(version, update));
        }
        expect(before.map((version) => JSON.stringify(version))).toEqual(written);
      }),
      60,
    );
  });

  test('contract §5: any frames, what takes no effect changes nothing', () => {
    let ignored = 0;
    holds(
      fc.property(frames, anyFrame(), (texts, text) => {
        const before = fold(texts).at(-1) ?? emptyConversation;
        const update = decodeUpdate(text);
        const isIgnored = update.kind !== 'rejected' && !takesEffect(before, update);
        if (isIgnored) ignored += 1;
        expect(isIgnored ? applyUpdate(before, update) : before).toBe(before);
      }),
      500,
    );
    expect(ignored).toBeGreaterThan(20);
  });
});
