import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { avatar, eveningPicture } from './pictures.ts';
import { CHIME } from './samples.ts';

/** Returns the chunks of a PNG file by their types; each has the right checksum. */
function chunksOf(file: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length;) {
    const end = at + 8 + file.readUInt32BE(at);
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
    chunks.set(file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, end));
    at = end + 4;
  }
  return chunks;
}

/** Draws a picture with a digit for each step of pixels: its brightness, in which each colour counts differently. */
function drawn(base64: string, [dx, dy]: readonly [number, number]): string {
  const chunks = chunksOf(Buffer.from(base64, 'base64'));
  const header = chunks.get('IHDR') ?? Buffer.alloc(0);
  const width = header.readUInt32BE(0);
  const pixels = inflateSync(chunks.get('IDAT') ?? '');
  const digit = (at: number) => {
    const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(at, at + 4);
    return opacity < 128 ? ' ' : Math.floor((red + 2 * green + 3 * blue) / 154);
  };
  let text = `${[...chunks.keys()].join(' ')}, header ${header.toString('hex')}\n`;
  for (let row = 0; row < pixels.length; row += dy * (4 * width + 1)) {
    for (let column = 0; column < width; column += dx) text += digit(row + 1 + 4 * column);
    text += '\n';
  }
  return text;
}

test('the demonstration has an avatar, a picture and the sound of a bell', async () => {
  const sound = Buffer.from(CHIME, 'base64');
  const levels = Array.from({ length: 22 }, (_, at) => sound.readInt16LE(44 + at * 800));
  const header = sound.toString('hex', 0, 44).replaceAll(/.{8}/g, '$& ');
  const text = `${drawn(avatar(), [2, 4])}\n${drawn(eveningPicture(), [5, 10])}\n${header}\n${levels.join(' ')}\n`;
  await expect(text).toMatchFileSnapshot('testing/samples.txt');
});
