import { decodeBinary } from './decodeBase64.ts';
import { wholeImageSize } from './imageSize.ts';
import { pictureType } from './pictureType.ts';

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
