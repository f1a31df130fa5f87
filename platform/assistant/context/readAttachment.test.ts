import { expect, test } from 'vitest';
import { eveningPicture } from '../demonstration/pictures.ts';
import { readAttachment } from './readAttachment.ts';

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64');
const latin1 = (content: string) => Buffer.from(content, 'latin1').toString('base64');

test.each(['notes.txt', 'main.rs', 'Makefile', 'drawing.svg', 'data'])('reads UTF-8 as text: %s', (name) => {
  expect(readAttachment(name, base64('Grüße\r\n\tこんにちは'))).toEqual({
    kind: 'text',
    text: 'Grüße\r\n\tこんにちは',
  });
});

test('reads UTF-8 without its byte order mark', () => {
  expect(readAttachment('a.txt', base64('\u{feff}Hello'))).toEqual({ kind: 'text', text: 'Hello' });
});

test.each([
  ['image/png', eveningPicture()],
  ['image/jpeg', latin1('\u{ff}\u{d8}\u{ff}\u{e0}')],
  ['image/gif', latin1('GIF89a')],
  ['image/webp', latin1('RIFF\n\n\n\nWEBPVP8 ')],
])('reads %s as a data URL, whatever its name is', (type, blob) => {
  expect(readAttachment('picture.bin', blob)).toEqual({ kind: 'image', url: `data:${type};base64,${blob}` });
});

test.each([
  ['a.zip', base64('PK\u{3}\u{4}')],
  ['old.txt', latin1('Gr\u{fc}\u{df}e')],
  ['a.pdf', base64('%PDF-1.7')],
  ['A.PDF', base64('%PDF-1.7')],
  ['core', base64('\u{0}')],
])('refuses %s in words', (name, blob) => {
  expect(readAttachment(name, blob)).toEqual({
    kind: 'refused',
    sentence: `I cannot read “${name}”. Send a text file, or a picture as PNG, JPEG, GIF or WebP.`,
  });
});
