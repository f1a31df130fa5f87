import { decodeBase64 } from '../base/base64.ts';

/** The size of an image, in its own pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Length of the beginning that is read, in characters of base64. */
const HEAD_LENGTH = 64 * 1024;

/**
 * Returns the size that the header of an image says (PNG, GIF, JPEG, WebP or BMP); `null` when it is another format, or when the size is not in the
 * beginning of the image.
 * @param head the image's base64, or a beginning of it
 */
export function imageSize(head: string): ImageSize | null {
  const length = Math.min(head.length, HEAD_LENGTH);
  const bytes = decodeBase64(head.slice(0, length - (length % 4)));
  if (bytes === null || bytes.length < 12) return null;
  const view = new DataView(bytes.buffer);
  try {
    const size = readSize(view);
    return size !== null && size.width > 0 && size.height > 0 ? size : null;
  } catch (error) {
    // The header is longer than what is there.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readSize(view: DataView): ImageSize | null {
  const start = view.getUint32(0);
  if (start === 0x89_50_4e_47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (start === 0x47_49_46_38) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (start === 0x52_49_46_46 && view.getUint32(8) === 0x57_45_42_50) return webpSize(view);
  if (view.getUint16(0) === 0x42_4d)
    return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) };
  return view.getUint16(0) === 0xff_d8 ? jpegSize(view) : null;
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
