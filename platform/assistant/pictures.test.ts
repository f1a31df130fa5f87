import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { avatar, eveningPicture } from './pictures.ts';

/** Reads a PNG as a viewer does: signature, chunks with their checksums, pixels without a filter. */
function decode(base64: string) {
  const file = Buffer.from(base64, 'base64');
  expect(file.subarray(0, 8).toString('latin1')).toBe('\u{89}PNG\r\n\u{1a}\n');
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const end = at + 8 + file.readUInt32BE(at);
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
    chunks[file.toString('latin1', at + 4, at + 8)] = file.subarray(at + 8, end);
  }
  const { IHDR = Buffer.alloc(8), IDAT = Buffer.alloc(0) } = chunks;
  const width = IHDR.readUInt32BE(0);
  const bytes = inflateSync(IDAT);
  const pixel = (x: number, y: number) => {
    const start = y * (1 + 4 * width) + 1 + 4 * x;
    return [...bytes.subarray(start, start + 4)];
  };
  return { kinds: Object.keys(chunks), width, height: IHDR.readUInt32BE(4), length: bytes.length, pixel };
}

test('the avatar is a small PNG in the product’s colour with transparent corners', () => {
  const { pixel, ...picture } = decode(avatar());
  expect(picture).toEqual({
    kinds: ['IHDR', 'IDAT', 'IEND'],
    width: 64,
    height: 64,
    length: 64 * (1 + 64 * 4),
  });
  expect(pixel(32, 4)).toEqual([0x4f, 0x46, 0xe5, 255]);
  expect(pixel(27, 30)).toEqual([255, 255, 255, 255]);
  expect(pixel(0, 0)[3]).toBe(0);
  expect(avatar().length).toBeLessThan(2000);
});

test('the picture to send is a PNG of 320 by 200 pixels', () => {
  const { width, height, length } = decode(eveningPicture());
  expect({ width, height, length }).toEqual({ width: 320, height: 200, length: 200 * (1 + 320 * 4) });
});
