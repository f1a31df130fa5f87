import { encodePng } from '#platform/assistant/demonstration/encodePng.ts';

/** Returns a PNG of one pixel, in base64; its color depends on the number. */
export const picture = (number: number): string =>
  encodePng({
    width: 1,
    height: 1,
    at: () => [(number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff, 255],
  }).toString('base64');

const SAMPLES_PER_SECOND = 8000;

/** Returns a WAV of four samples, in base64; the samples depend on the number. */
export function sound(number: number): string {
  const samples = Buffer.alloc(4);
  samples.writeUInt32LE(number);
  const format = Buffer.alloc(16);
  // PCM, one channel, one byte per sample.
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(SAMPLES_PER_SECOND, 4);
  format.writeUInt32LE(SAMPLES_PER_SECOND, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const body = Buffer.concat([Buffer.from('WAVE'), riff('fmt ', format), riff('data', samples)]);
  return riff('RIFF', body).toString('base64');
}

/** Encodes a chunk of a RIFF file: its name, its length, its content. */
function riff(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, name);
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** Returns a file that contains its number, in base64. */
export const content = (number: number): string => Buffer.from(`content-${number}`).toString('base64');
