import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue, opacity: 0 to 255 each. */
export type Pixel = readonly [number, number, number, number];

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The colour at a point; the first row is the top. */
  readonly at: (x: number, y: number) => Pixel;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Draws a picture and encodes it as a PNG file: eight bits a channel, with opacity. */
export function encodePng(picture: Picture): Buffer {
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(picture)),
    chunk('IDAT', deflateSync(pixels(picture), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function header({ width, height }: Picture): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([8, 6, 0, 0, 0], 8);
  return bytes;
}

/** Each row begins with its filter: 0, the colours as they are. */
function pixels({ width, height, at }: Picture): Buffer {
  const rowLength = 1 + width * 4;
  const bytes = Buffer.alloc(rowLength * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) bytes.set(at(x, y).map(Math.round), y * rowLength + 1 + x * 4);
  return bytes;
}

/** Length, type, data, and the check sum of the last two. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
