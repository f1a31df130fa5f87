import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { avatar, eveningPicture } from './pictures.ts';

/** Returns the names and the content of the chunks of a PNG file. */
function chunksOf(png: Buffer): [name: string, content: Buffer][] {
  const chunks: [string, Buffer][] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    chunks.push([
      png.toString('latin1', at + 4, at + 8),
      png.subarray(at + 8, at + 8 + png.readUInt32BE(at)),
    ]);
  return chunks;
}

test.each([
  ['avatar', avatar, 64, 64],
  ['picture', eveningPicture, 320, 200],
] as const)('the %s is a whole PNG file of its size', (_name, draw, width, height) => {
  const png = Buffer.from(draw(), 'base64');
  const chunks = chunksOf(png);
  expect(chunks.map(([name]) => name)).toEqual(['IHDR', 'IDAT', 'IEND']);
  const [[, header] = [], [, data = png] = []] = chunks;
  expect([header?.readUInt32BE(0), header?.readUInt32BE(4), [...(header ?? [])].slice(8)]).toEqual([
    width,
    height,
    [8, 6, 0, 0, 0],
  ]);
  expect(inflateSync(data)).toHaveLength(height * (1 + 4 * width));
  // The end has no content; its last four bytes are the checksum of its name.
  expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
});
