import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { avatar, eveningPicture } from './pictures.ts';
import { CHIME } from './samples.ts';

/** Draws a PNG file with a digit for each step of its pixels: their brightness, in which each colour counts differently. */
function drawn(base64: string, [dx, dy]: readonly [number, number]): string {
  const file = Buffer.from(base64, 'base64');
  const chunks: Buffer[] = [];
  for (let at = 8, end = 0; at < file.length; at = end + 4) {
    end = at + 8 + file.readUInt32BE(at);
    chunks.push(file.subarray(at + 4, end));
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
  }
  const [header, data] = chunks;
  const pixels = inflateSync(data?.subarray(4) ?? '');
  const width = file.readUInt32BE(16);
  let text = `${chunks.map((chunk) => chunk.toString('latin1', 0, 4)).join(' ')} ${header?.toString('hex', 4)}\n`;
  for (let row = 1; row < pixels.length; row += dy * (4 * width + 1)) {
    for (let at = row; at < row + 4 * width; at += 4 * dx) {
      const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(at, at + 4);
      text += opacity < 128 ? ' ' : Math.floor((red + 2 * green + 3 * blue) / 154);
    }
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
