import { expect, it } from 'vitest';
import { conversationOf, item, message } from '#tests/builders/updateOf.ts';
import { imageAt, nextImage } from './findImage.ts';
import { FIT } from '#shared/store/overlayState.ts';
import { withinView, zoomBy } from './useZoom.ts';

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

it.each([
  ['an image with its name and its data', at(0, 2), { place: at(0, 2), name: '2', blob: 'AA==' }],
  ['an image without a name', at(4, 1), { place: at(4, 1), name: '', blob: 'AA==' }],
  ['nothing for a text', at(0, 1), undefined],
  ['nothing for an image without data', at(2, 0), undefined],
  ['nothing for an image whose data is null', at(2, 1), undefined],
  ['nothing for a message that does not exist', at(9, 0), undefined],
])('imageAt returns %s', (_, place, expected) => expect(imageAt(conversation, place)).toEqual(expected));

it('nextImage goes through the images of the conversation and stops at its ends', () => {
  const images = [at(0, 0), at(0, 2), at(4, 1)];
  expect(images.map((place) => nextImage(conversation, place, 1))).toEqual([...images.slice(1), undefined]);
  const previous = images.map((place) => nextImage(conversation, place, -1));
  expect(previous).toEqual([undefined, ...images.slice(0, 2)]);
});

const sizes = { image: { width: 400, height: 200 }, view: { width: 600, height: 300 } };

it('zoomBy keeps the point under the pointer where it is, and stays between the whole image and 64 times its size', () => {
  expect(zoomBy({ factor: 2, x: 30, y: -10 }, 1.5, { x: 100, y: 50 })).toEqual({ factor: 3, x: -5, y: -40 });
  expect(zoomBy(FIT, 0.5, { x: 10, y: 10 })).toEqual(FIT);
  expect(zoomBy(FIT, 1000, { x: 0, y: 0 }).factor).toBe(64);
});

it.each([
  ['centres an image that fits', { factor: 1, x: 50, y: -50 }, FIT],
  ['leaves no space beside a larger image', { factor: 2, x: 500, y: -500 }, { factor: 2, x: 100, y: -50 }],
  ['moves only along the side that is larger', { factor: 1.5, x: 9, y: 9 }, { factor: 1.5, x: 0, y: 0 }],
  ['keeps a position within the limits', { factor: 2, x: -40, y: 20 }, { factor: 2, x: -40, y: 20 }],
])('%s', (_, zoom, expected) => expect(withinView(zoom, sizes)).toEqual(expected));
