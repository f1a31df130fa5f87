import { decodeBase64, decodeBinary } from './decodeBase64.ts';

/** The size of an image, in its own pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Length of the beginning that is read, in characters of base64. */
const HEAD_LENGTH = 64 * 1024;

/**
 * Returns the size that the header of an image says; `null` when it is not an image of pixels, or when the size is not in the beginning of the
 * image.
 * @param head the image's base64, or a beginning of it
 */
export function imageSize(head: string): ImageSize | null {
  const length = Math.min(head.length, HEAD_LENGTH);
  return wholeImageSize(head.slice(0, length - (length % 4)));
}

/** Returns the size of an image as `imageSize`, also when its header is longer than the beginning that is read there. */
export function wholeImageSize(base64: string): ImageSize | null {
  const type = pictureType(base64);
  const bytes = type === null ? null : decodeBase64(base64);
  if (bytes === null) return null;
  try {
    const size = SIZES[type ?? '']?.(new DataView(bytes.buffer)) ?? null;
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // The header is longer than what is there.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const SIZES: Readonly<Record<string, (view: DataView) => ImageSize | null>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': gifSize,
  'image/webp': webpSize,
  'image/bmp': bmpSize,
  'image/jpeg': jpegSize,
  'image/avif': avifSize,
  'image/x-icon': iconSize,
};

const largest = (sizes: readonly (ImageSize | null)[]): ImageSize | null =>
  sizes.some((size) => size === null) || sizes.length === 0
    ? null
    : {
        width: Math.max(...sizes.map((size) => size?.width ?? 0)),
        height: Math.max(...sizes.map((size) => size?.height ?? 0)),
      };

/** Reads the size of the screen, and that of the first frame, which browsers show whole. */
function gifSize(view: DataView): ImageSize | null {
  const sizeAt = (at: number) => ({ width: view.getUint16(at, true), height: view.getUint16(at + 2, true) });
  const screen = sizeAt(6);
  let at = 13 + (view.byteLength > 10 ? colourTableLength(view.getUint8(10)) : 0);
  while (at + 9 < view.byteLength && view.getUint8(at) === 0x21)
    for (at += 2; at < view.byteLength; at += 1 + view.getUint8(at))
      if (view.getUint8(at) === 0 && ++at) break;
  return at + 9 < view.byteLength ? largest([screen, sizeAt(at + 5)]) : screen;
}

const colourTableLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function bmpSize(view: DataView): ImageSize {
  if (view.getUint32(14, true) === 12)
    return { width: view.getUint16(18, true), height: view.getUint16(20, true) };
  return { width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) };
}

/** Reads the largest size of all parts of the image (their properties `ispe`). */
function avifSize(view: DataView): ImageSize | null {
  const sizes: ImageSize[] = [];
  const end = Math.min(view.byteLength, HEAD_LENGTH) - 16;
  for (let at = 0; at <= end; at++)
    if (view.getUint32(at) === 0x69_73_70_65)
      sizes.push({ width: view.getUint32(at + 8), height: view.getUint32(at + 12) });
  return largest(sizes);
}

/** Reads the largest size of the images in an icon. */
function iconSize(view: DataView): ImageSize | null {
  return largest(
    Array.from({ length: view.getUint16(4, true) }, (_, index) => {
      const at = view.getUint32(18 + 16 * index, true);
      if (view.getUint32(at) === 0x89_50_4e_47)
        return { width: view.getUint32(at + 16), height: view.getUint32(at + 20) };
      return {
        width: Math.abs(view.getInt32(at + 4, true)),
        height: Math.abs(view.getInt32(at + 8, true)),
      };
    }),
  );
}

/** Reads the size of the first chunk: VP8X, VP8L or VP8. */
function webpSize(view: DataView): ImageSize {
  const kind = view.getUint8(15);
  if (kind === 0x58) return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (kind === 0x4c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3f_ff, height: view.getUint16(28, true) & 0x3f_ff };
}

const uint24 = (view: DataView, at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;

/** Markers of segments that are no frame header, although they are between the first and the last of them. */
const NO_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

/** Reads the size in the frame header, which follows other segments. A rotation in the metadata is not read. */
function jpegSize(view: DataView): ImageSize | null {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.has(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Pixels of an animation count several times: a browser decodes its frames again and again. */
const ANIMATION = 8;

/** Shorter than an image whose size cannot be read, in characters of base64. */
const SHORT = 64;

/** Returns the number of pixels that a browser decodes to show an image (base64), or `null` when it is not known. */
export function imagePixels(base64: string): number | null {
  const size = wholeImageSize(base64);
  if (size === null) return base64.length < SHORT ? 0 : null;
  return size.width * size.height * (isAnimation(base64) ? ANIMATION : 1);
}

/** Returns whether an image may be an animation. */
function isAnimation(base64: string): boolean {
  const type = pictureType(base64);
  if (type === 'image/gif') return true;
  const head = decodeBinary(base64.slice(0, 4096)) ?? '';
  if (type === 'image/png') return head.includes('acTL');
  if (type === 'image/webp') return head.includes('ANIM');
  return type === 'image/avif' && head.includes('avis');
}

/** The beginning of the base64 of each picture type that a window can draw, except SVG, which has no fixed beginning. */
const PICTURES: readonly (readonly [beginning: RegExp, type: string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD(?:dh|lh)/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^.{5}[GWm2]Z0eXB(?:hdml[mz]|taWYx|tc2Yx)/, 'image/avif'],
  [/^Qk[0-3]/, 'image/bmp'],
  [/^AAA[BC]A/, 'image/x-icon'],
];

/** Detects the media type of a picture from its first bytes (base64); returns `null` for SVG and anything else. */
export const pictureType = (base64: string): string | null =>
  PICTURES.find(([beginning]) => beginning.test(base64))?.[1] ?? null;
