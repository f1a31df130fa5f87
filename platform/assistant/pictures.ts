import { crc32, deflateSync } from 'node:zlib';

/** The product's colour, #4f46e5. */
const INDIGO: Pixel = [0x4f, 0x46, 0xe5, 255];
const WHITE: Pixel = [255, 255, 255, 255];

const clamp = (value: number) => Math.min(1, Math.max(0, value));

/** Mixes two colours; a share of 0 is the first, 1 the second. */
function mix(from: Pixel, to: Pixel, share: number): Pixel {
  const channel = (index: 0 | 1 | 2 | 3) => from[index] + (to[index] - from[index]) * clamp(share);
  return [channel(0), channel(1), channel(2), channel(3)];
}

/** Returns the distance of a point from a disc, negative inside. The edge is smoothed over one pixel. */
const outsideDisc = (x: number, y: number, [cx, cy, radius]: readonly [number, number, number]) =>
  Math.hypot(x - cx, y - cy) - radius;

/** Returns the distance of a point from a box with round corners, given by its centre, half its size and its corners' radius. */
function outsideBox(
  x: number,
  y: number,
  [cx, cy, w, h, r]: readonly [number, number, number, number, number],
) {
  const dx = Math.abs(x - cx) - (w - r);
  const dy = Math.abs(y - cy) - (h - r);
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r;
}

/** Returns the distance from the tail of the speech bubble: the left half of a disc below it. */
const outsideTail = (x: number, y: number) => Math.max(outsideDisc(x, y, [27, 37, 11]), x - 27);

const DOTS = [22, 32, 42] as const;

/** The assistant's mark: a white speech bubble with three dots on a disc of the product's colour. */
const mark: Picture = {
  width: 64,
  height: 64,
  at(column, row) {
    const [x, y] = [column + 0.5, row + 0.5];
    const bubble = Math.min(outsideBox(x, y, [32, 30, 18, 12, 10]), outsideTail(x, y));
    const dots = Math.min(...DOTS.map((cx) => outsideDisc(x, y, [cx, 30, 2.8])));
    const [red, green, blue] = mix(mix(INDIGO, WHITE, 0.5 - bubble), INDIGO, 0.5 - dots);
    return [red, green, blue, 255 * clamp(0.5 - outsideDisc(x, y, [32, 32, 32]))];
  },
};

const SKY: readonly Pixel[] = [
  [0x31, 0x2e, 0x81, 255],
  [0x4f, 0x46, 0xe5, 255],
  [0xf4, 0x72, 0xb6, 255],
  [0xfd, 0xe6, 0x8a, 255],
];
const SUN: Pixel = [0xff, 0xf7, 0xd6, 255];
const HILLS = [
  { colour: [0x43, 0x38, 0xca, 255], base: 138, swell: 16, length: 52, shift: 0.4 },
  { colour: [0x31, 0x2e, 0x81, 255], base: 158, swell: 12, length: 37, shift: 2.1 },
  { colour: [0x1e, 0x1b, 0x4b, 255], base: 176, swell: 9, length: 66, shift: 4.4 },
] as const;

/** Returns the sky's colour at a height, 0 at the top and 1 at the bottom. */
function sky(height: number): Pixel {
  const place = clamp(height) * (SKY.length - 1);
  const band = Math.min(Math.floor(place), SKY.length - 2);
  return mix(SKY[band] ?? INDIGO, SKY[band + 1] ?? INDIGO, place - band);
}

/** An evening: hills, the sun behind them, the sky from indigo to gold. */
const evening: Picture = {
  width: 320,
  height: 200,
  at(x, y) {
    const behind = mix(sky(y / 170), SUN, 0.5 - outsideDisc(x, y, [214, 118, 26]));
    return HILLS.reduce<Pixel>((colour, hill) => {
      const top = hill.base - hill.swell * Math.sin(x / hill.length + hill.shift);
      return mix(colour, hill.colour, y - top + 0.5);
    }, behind);
  },
};

/** Returns a function that draws a picture on its first call, because drawing takes longer than the rest of the start. */
function drawOnce(picture: Picture): () => string {
  let base64: string | undefined;
  return () => (base64 ??= encodePng(picture).toString('base64'));
}

/** Returns the assistant's avatar, 64 by 64 (base64 of a PNG). */
export const avatar = drawOnce(mark);

/** Returns the picture that the assistant sends, 320 by 200 (base64 of a PNG). */
export const eveningPicture = drawOnce(evening);

/** Red, green, blue and opacity, 0 to 255 each. */
type Pixel = readonly [number, number, number, number];

/** A picture, by its pixels. */
interface Picture {
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
