import type { ImageSize } from '#shared/image/imageSize.ts';

/** How an image is shown: its magnification, 1 when it fits, and the distance of its middle from the middle of the viewer, in pixels. */
export interface Zoom {
  readonly factor: number;
  readonly x: number;
  readonly y: number;
}

/** The sizes on which the limits of a zoom depend, in pixels. */
export interface Sizes {
  /** The size of the image while it fits. */
  readonly image: ImageSize;
  /** The size of the viewer. */
  readonly view: ImageSize;
}

/** The whole image. */
export const FIT: Zoom = { factor: 1, x: 0, y: 0 };
/** Maximum magnification. */
const MOST = 64;

/** Magnifies by `by`, so that the point at this distance from the middle of the viewer stays where it is. */
export function zoomBy(
  { factor, x, y }: Zoom,
  by: number,
  at: { readonly x: number; readonly y: number },
): Zoom {
  const next = Math.min(MOST, Math.max(1, factor * by));
  const ratio = next / factor;
  return { factor: next, x: at.x + (x - at.x) * ratio, y: at.y + (y - at.y) * ratio };
}

/** Returns a zoom that leaves no empty space beside the image where the image is larger than the viewer, and centres it where it is not. */
export function withinView({ factor, x, y }: Zoom, { image, view }: Sizes): Zoom {
  const limit = (value: number, size: number, most: number) => {
    const room = Math.max(0, (size * factor - most) / 2);
    return Math.min(room, Math.max(-room, value)) || 0;
  };
  return { factor, x: limit(x, image.width, view.width), y: limit(y, image.height, view.height) };
}
