import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue and opacity, 0 to 255 each. */
export type Pixel = readonly [number, number, number, number];

/** A picture, by its pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Returns the colour at a point; row 0 is the top. */
  readonly at: (x: number, y: number) => Pixel;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Renders a picture and encodes it as a PNG file with eight bits per channel and opacity. */
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

/** Returns the rows of pixels. Each row starts with its filter type: 0, unfiltered. */
function pixels({ width, height, at }: Picture): Buffer {
  const rowLength = 1 + width * 4;
  const bytes = Buffer.alloc(rowLength * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) bytes.set(at(x, y).map(Math.round), y * rowLength + 1 + x * 4);
  return bytes;
}

/** Returns a chunk: length, type, data, and the checksum of type and data. */
function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
