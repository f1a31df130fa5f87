import { describe, expect, test } from 'vitest';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import { message } from '#tests/browser/harness/message.ts';
import { decodeBlob, itemForWindows, messageForWindows, blobReference } from './actionForWindows.ts';

const LONG = Buffer.alloc(INLINE_BLOB_LENGTH, 7).toString('base64');

const svg = (content: string) =>
  btoa(`<svg xmlns="http://www.w3.org/2000/svg">${content}${' '.repeat(INLINE_BLOB_LENGTH)}</svg>`);

describe('an item for windows', () => {
  test('has a blob up to the limit inline', () => {
    const item = { category: 'image', blob: 'A'.repeat(INLINE_BLOB_LENGTH) };
    expect(itemForWindows(item)).toBe(item);
    expect(itemForWindows({ category: 'text', blob: null })).toEqual({ category: 'text', blob: null });
  });

  test('has a longer blob by reference, and its other fields unchanged', () => {
    const item = { blob: LONG, category: 'image', text: 'a.png', extra: [1] };
    const { blob, ...others } = { ...item, ...itemForWindows(item) };
    expect(others).toEqual({ category: 'image', text: 'a.png', extra: [1] });
    expect(blob).toEqual({
      head: LONG.slice(0, 32),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      image: null,
    });
  });
});

describe('a message for windows', () => {
  test('without a long blob is the message itself', () => {
    const short = message('a', [{ category: 'text', text: 'hi', blob: null }], { avatar: 'iVBORw0KGgo=' });
    expect(messageForWindows(short)).toBe(short);
  });

  test('has a long avatar by reference', () => {
    expect(messageForWindows(message('a', [], { avatar: LONG }))).toMatchObject({
      id: 'a',
      avatar: { head: LONG.slice(0, 32) },
    });
  });
});

describe('a reference', () => {
  test('is the same for equal blobs, so its address stays valid after a reconnect', () => {
    expect(blobReference(LONG)).toEqual(
      blobReference(Buffer.alloc(INLINE_BLOB_LENGTH, 7).toString('base64')),
    );
    expect(blobReference(LONG).hash).not.toBe(blobReference(LONG.replace('BwcH', 'AwcH')).hash);
  });

  test('contract §5 image over a limit: has the type with which an image is drawn, and none for one that is not', () => {
    expect(blobReference(svg('<g/>')).image).toBe('image/svg+xml');
    expect(blobReference(svg('<g id="a"><use href="#a"/></g>')).image).toBeNull();
  });

  test('has no hash when the blob is not base64', () => {
    expect(blobReference(`!${LONG}`).hash).toBeNull();
  });
});

test.each([
  'AAEC',
  'AAE=',
  'AA==',
  'AAE',
  'AA',
  'A',
  'A=',
  'AAE==',
  'AA=A',
  'A A E C\n',
  'AA= =',
  'AA-_',
  'AA*A',
  '',
  '=',
  'caf\u00e9',
])('decodes %j to the same bytes as `atob` in a window', (blob) => {
  const inWindow = () => {
    try {
      return Buffer.from(atob(blob), 'latin1');
    } catch {
      return null;
    }
  };
  expect(decodeBlob(blob)).toEqual(inWindow());
});
