import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldFrames } from '#sim/checks/foldFrames.ts';
import { anyFrame } from '#tests/builders/updateKinds.ts';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { conversationOf, item, message, updateOf } from '#tests/builders/updateOf.ts';
import { decodeUpdate } from '../protocol/update.ts';
import { applyUpdate, currentItem, currentMessage, hasTarget } from './applyUpdate.ts';
import { type Conversation, emptyConversation, toSnapshot } from './conversation.ts';
import { itemAt } from './vector.ts';

const then = (conversation: Conversation, ...frames: readonly object[]) =>
  frames.map(updateOf).reduce(applyUpdate, conversation);
const messagesOf = (conversation: Conversation) => toSnapshot(conversation).messages;

const two = conversationOf({ person: 'Ada Lovelace', messages: [message('1'), message('2')] });

describe('spec §6.1: what each update does', () => {
  test('spec §6.1 row 1: a snapshot replaces person and messages, and its newest message becomes the current one', () => {
    const after = then(two, { person: 'Bob', messages: [message('8'), message('9')] });
    expect(toSnapshot(after)).toEqual({ person: 'Bob', messages: [message('8'), message('9')] });
    expect(currentMessage(after)?.id).toBe('9');
  });

  test('spec §6.1 row 1: a snapshot without messages removes all messages', () => {
    expect(toSnapshot(then(two, { person: 'Bob' }))).toEqual({ person: 'Bob', messages: [] });
  });

  test('spec §6.1 row 2: a name replaces only the person’s name', () => {
    const after = then(two, { name: 'Ada King' });
    expect(after.person).toBe('Ada King');
    expect(after.messages).toBe(two.messages);
  });

  test('spec §6.1 row 3: a frame with a modifier appends a message, which becomes the current one', () => {
    const after = then(two, message('3'));
    expect(messagesOf(after)).toEqual([message('1'), message('2'), message('3')]);
    expect(currentMessage(after)?.id).toBe('3');
  });

  test('spec §6.1 row 4: a content item is appended to the current message', () => {
    const after = then(two, item('more'));
    expect(messagesOf(after)).toEqual([message('1'), message('2', { content: [item('2'), item('more')] })]);
  });

  test('spec §6.1 row 5: a context is set on the current message', () => {
    const after = then(two, { context: 'Typing' });
    expect(messagesOf(after)).toEqual([message('1'), message('2', { context: 'Typing' })]);
  });

  test('spec §6.1 row 6: a text is set on the last content item of the current message', () => {
    const after = then(two, item('more'), { text: 'changed' });
    expect(messagesOf(after)).toEqual([
      message('1'),
      message('2', { content: [item('2'), item('changed')] }),
    ]);
  });

  test('contract §5: a text of null is set like any other text', () => {
    expect(currentItem(then(two, { text: null }))?.text).toBeNull();
  });

  test('spec §6.1 none of these: a notification changes nothing', () => {
    expect(then(two, { html: 'x' })).toBe(two);
  });

  test('contract §5 duplicate ids, spec §2.5 id: a message with an existing id is appended', () => {
    expect(messagesOf(then(two, message('1'))).map(({ id }) => id)).toEqual(['1', '2', '1']);
  });

  test('contract §5: a message without content gets content only with its first item', () => {
    const without = then(two, { modifier: 'ai', id: '3' });
    expect(messagesOf(without).at(-1)).toStrictEqual({ modifier: 'ai', id: '3' });
    expect(messagesOf(then(without, { text: 'x' })).at(-1)).toStrictEqual({ modifier: 'ai', id: '3' });
    expect(messagesOf(then(without, item('x'))).at(-1)?.content).toEqual([item('x')]);
  });

  test('contract §5 other fields: unknown fields survive every later update', () => {
    const odd = { modifier: 'ai', mood: { is: 'good' }, content: [{ category: 'text', size: 7 }] };
    const after = then(emptyConversation, odd, { text: 'x' }, { context: 'y' });
    expect(messagesOf(after)).toEqual([
      { ...odd, content: [{ category: 'text', size: 7, text: 'x' }], context: 'y' },
    ]);
  });
});

describe('an unchanged part keeps its reference', () => {
  test.each([
    ['the current name', { name: 'Ada Lovelace' }],
    ['the current context', { context: 'Assistant' }],
    ['the current text', { text: '2' }],
    ['a notification', {}],
  ])('%s returns the same conversation', (_, frame) => {
    expect(then(two, frame)).toBe(two);
  });

  test.each([
    ['a content item', item('x')],
    ['a context', { context: 'x' }],
    ['a text', { text: 'x' }],
  ])('%s without a current message returns the same conversation', (_, frame) => {
    expect(then(emptyConversation, frame)).toBe(emptyConversation);
  });

  test('a text without a content item returns the same conversation', () => {
    const empty = conversationOf(message('1', { content: [] }));
    expect(then(empty, { text: 'x' })).toBe(empty);
  });

  test.each([
    ['a message', message('3')],
    ['a content item', item('x')],
    ['a context', { context: 'x' }],
    ['a text', { text: 'x' }],
    ['a name', { name: 'x' }],
  ])('%s keeps the references of all messages before the current one', (_, frame) => {
    expect(itemAt(then(two, frame).messages, 0)).toBe(itemAt(two.messages, 0));
  });

  test('a context keeps the content of its message', () => {
    const after = then(two, { context: 'x' });
    expect(currentMessage(after)?.content).toBe(currentMessage(two)?.content);
  });

  test('a text in a message of many items keeps the other items', () => {
    const before = then(two, item('x'));
    const content = currentMessage(before)?.content;
    const changed = currentMessage(then(before, { text: 'y' }))?.content;
    expect(content && itemAt(content, 0)).toBe(changed && itemAt(changed, 0));
    expect(content && itemAt(content, 0)).toEqual(item('2'));
  });
});

describe('contract §5: the target of an update', () => {
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
    'contract §5 ignored: a %s is applied or ignored without a message, without content, with empty content, with an item',
    (_, frame, expected) => {
      const update = updateOf(frame);
      expect(
        [emptyConversation, noContent, noItem, two].map((conversation) => hasTarget(conversation, update)),
      ).toEqual(expected);
    },
  );
});

test('keeps 10,000 items of one message and their texts', () => {
  const frames = Array.from({ length: 10_000 }, (_, i) => [item(`${i}`), { text: `text ${i}` }]).flat();
  const after = then(two, ...frames);
  const content = messagesOf(after).at(-1)?.content;
  expect(content).toHaveLength(10_001);
  expect(content?.slice(1).every(({ text }, i) => text === `text ${i}`)).toBe(true);
  expect(messagesOf(two).at(-1)?.content).toEqual([item('2')]);
});

/** Folds updates as a session does. */
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

  test('spec §6.1: gives the same result as a simple fold with arrays', () => {
    checkProperty(
      fc.property(frames, (texts) => {
        const { person, messages } = foldFrames(texts);
        expect(toSnapshot(fold(texts).at(-1) ?? emptyConversation)).toEqual({ person, messages });
      }),
      500,
    );
  });

  test('never changes an older version', () => {
    checkProperty(
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

  test('contract §5: an ignored update changes nothing', () => {
    let ignored = 0;
    checkProperty(
      fc.property(frames, anyFrame(), (texts, text) => {
        const before = fold(texts).at(-1) ?? emptyConversation;
        const update = decodeUpdate(text);
        const isIgnored = update.kind !== 'rejected' && !hasTarget(before, update);
        if (isIgnored) ignored += 1;
        expect(isIgnored ? applyUpdate(before, update) : before).toBe(before);
      }),
      500,
    );
    expect(ignored).toBeGreaterThan(20);
  });
});
