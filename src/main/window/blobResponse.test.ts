import { describe, expect, test } from 'vitest';
import { type BlobReference, blobPath } from '#shared/conversation/blobReference.ts';
import { type Conversation, emptyConversation, fromSnapshot } from '#shared/conversation/conversation.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import type { Message } from '#shared/protocol/update.ts';
import { message } from '#tests/browser/harness/message.ts';
import { blobReference } from '../store/actionForWindows.ts';
import { blobResponse } from './servePages.ts';

const bytesFrom = (...beginning: number[]) =>
  Buffer.concat([Buffer.from(beginning), Buffer.alloc(20_000, 3)]);
const SIZE = [0, 0, 0, 9];
const PNG = bytesFrom(
  0x89,
  0x50,
  0x4e,
  0x47,
  0x0d,
  0x0a,
  0x1a,
  0x0a,
  0,
  0,
  0,
  13,
  73,
  72,
  68,
  82,
  ...SIZE,
  ...SIZE,
);
const SVG = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(INLINE_BLOB_LENGTH)}</svg>`);
const GROWING_SVG = Buffer.from(
  SVG.toString().replace('<svg', '<svg id="a"').replace(' </svg>', '<use href="#a"/></svg>'),
);
const WEB_PAGE = Buffer.from('<!doctype html>'.padEnd(20_000));
const item = (bytes: Buffer, category = 'image') => ({ category, text: 'a', blob: bytes.toString('base64') });
const of = (...messages: Message[]): Conversation => fromSnapshot({ person: 'Ada', messages });
const pathOf = (bytes: Buffer, place = { message: 0, item: 0 }): string =>
  blobPath(blobReference(bytes.toString('base64')), place) ?? '';

async function served(conversation: Conversation, path: string) {
  const response = blobResponse(conversation, path);
  return response && { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

describe('the response to the path of a blob', () => {
  test('has its bytes', async () => {
    expect((await served(of(message('a', [item(PNG)])), pathOf(PNG)))?.bytes).toEqual(PNG);
  });

  test.each([
    { of: 'a picture', category: 'image', bytes: PNG, type: 'image/png' },
    { of: 'a picture in a file', category: 'file', bytes: PNG, type: 'image/png' },
    { of: 'a sound', category: 'audio', bytes: bytesFrom(0x1a, 0x45, 0xdf, 0xa3), type: 'audio/webm' },
    { of: 'an SVG picture', category: 'image', bytes: SVG, type: 'image/svg+xml' },
    {
      of: 'an SVG picture that may block the window',
      category: 'image',
      bytes: GROWING_SVG,
      type: 'application/octet-stream',
    },
    { of: 'SVG in a file, a document', category: 'file', bytes: SVG, type: 'application/octet-stream' },
    { of: 'a web page', category: 'file', bytes: WEB_PAGE, type: 'application/octet-stream' },
  ])('of $of has the type that its category and first bytes show', async ({ category, bytes, type }) => {
    const headers = (await served(of(message('a', [item(bytes, category)])), pathOf(bytes)))?.headers;
    expect(headers?.get('content-type')).toBe(type);
    expect(headers?.get('x-content-type-options')).toBe('nosniff');
    expect(headers?.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  });

  test('of an avatar has its bytes', async () => {
    const avatar = PNG.toString('base64');
    const path = blobPath(blobReference(avatar), { message: 0, item: 'avatar' }) ?? '';
    expect((await served(of(message('a', [], { avatar })), path))?.bytes).toEqual(PNG);
  });

  test('is there while messages are appended', async () => {
    const conversation = of(message('a', [item(PNG)]), message('b', []));
    expect((await served(conversation, pathOf(PNG)))?.bytes).toEqual(PNG);
  });
});

describe('there is no response', () => {
  test('when the item is no longer in the conversation', () => {
    expect(blobResponse(emptyConversation, pathOf(PNG))).toBeUndefined();
    expect(blobResponse(of(message('a', [])), pathOf(PNG))).toBeUndefined();
  });

  test('when another blob is at that place', () => {
    expect(blobResponse(of(message('a', [item(SVG)])), pathOf(PNG))).toBeUndefined();
  });

  test('when the blob is not base64', () => {
    const reference: BlobReference = { head: '!', hash: '0'.repeat(64), image: null };
    const path = blobPath(reference, { message: 0, item: 0 }) ?? '';
    expect(blobResponse(of(message('a', [{ category: 'file', blob: '!' }])), path)).toBeUndefined();
  });

  test.each(['/index.html', '/blob/', '/blob/0/0/', '/blob/0/0/abc', '/blob/-1/0/x', '/blob/a/b/c'])(
    'for %s, which is not the path of a blob',
    (path) => {
      expect(blobResponse(of(message('a', [item(PNG)])), path)).toBeUndefined();
    },
  );
});
