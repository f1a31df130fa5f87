import { describe, expect, it } from 'vitest';
import { conversationOf, item, message } from '#tests/builders/updateOf.ts';
import { imageAt, nextImage } from './findImage.ts';

const image = (name: string | null, blob: string | null = 'AA==') => ({
  ...item('', { category: 'image', blob }),
  text: name,
});

const conversation = conversationOf(
  message('a', { content: [image('1'), item('text'), image('2')] }),
  message('b'),
  message('c', { content: [image('empty', ''), image('none', null)] }),
  message('d', { content: [] }),
  message('e', { content: [item('text'), image(null)] }),
);
const at = (index: number, itemIndex: number) => ({ message: index, item: itemIndex });

describe('imageAt', () => {
  it('returns an image with its name and its data', () => {
    expect(imageAt(conversation, at(0, 2))).toEqual({ place: at(0, 2), name: '2', blob: 'AA==' });
    expect(imageAt(conversation, at(4, 1))?.name).toBe('');
  });

  it.each([
    ['a text', at(0, 1)],
    ['an image without data', at(2, 0)],
    ['an image whose data is null', at(2, 1)],
    ['an item that does not exist', at(0, 3)],
    ['a message that does not exist', at(9, 0)],
  ])('returns nothing for %s', (_, place) => {
    expect(imageAt(conversation, place)).toBeUndefined();
  });
});

describe('nextImage', () => {
  it('goes through the images of the conversation and stops at its ends', () => {
    expect(nextImage(conversation, at(0, 0), 1)).toEqual(at(0, 2));
    expect(nextImage(conversation, at(0, 2), 1)).toEqual(at(4, 1));
    expect(nextImage(conversation, at(4, 1), 1)).toBeUndefined();
    expect(nextImage(conversation, at(4, 1), -1)).toEqual(at(0, 2));
    expect(nextImage(conversation, at(0, 2), -1)).toEqual(at(0, 0));
    expect(nextImage(conversation, at(0, 0), -1)).toBeUndefined();
  });
});
