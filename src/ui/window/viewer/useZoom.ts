import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Zoom } from '#shared/actions/windowSchemas.ts';
import { FIT } from '#shared/store/overlayState.ts';
import type { ItemPlace } from '#shared/conversation/blobReference.ts';
import type { ImageSize } from '#shared/image/imageSize.ts';
import { useWindowState, usePicture } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import type { ViewerCommand } from './viewerCommand.ts';

const STEP = 1.5;
/** How far an arrow key moves the image, in pixels. */
const PAN_STEP = 80;

const PANS: Readonly<Partial<Record<ViewerCommand, readonly [x: number, y: number]>>> = {
  panLeft: [PAN_STEP, 0],
  panRight: [-PAN_STEP, 0],
  panUp: [0, PAN_STEP],
  panDown: [0, -PAN_STEP],
};

/** A point of the page, or a distance, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The zoom of the viewer. The window's state gets it when it rests. */
export interface ViewerZoom {
  readonly zoom: Zoom;
  /** The element in which the image is. */
  readonly view: RefObject<HTMLDivElement | null>;
  readonly image: RefObject<HTMLImageElement | null>;
  /** Magnifies around a point of the page, and moves the image by the second point first. */
  readonly magnify: (by: number, at: Point, moved?: Point) => void;
  readonly perform: (command: ViewerCommand) => void;
  /** Returns whether the image is larger than the viewer, so that it can be moved. */
  readonly isLarger: () => boolean;
}

/** Returns the zoom of an image. Another image fits again. */
export function useZoom(place: ItemPlace): ViewerZoom {
  const [{ of, zoom }, setZoom] = useState({ of: place, zoom: FIT });
  const recorded = useWindowState('viewerZoom');
  const isPicture = usePicture() !== null;
  const { zoomImage } = useWindowCommands();
  const view = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const current = isPicture ? recorded : of === place ? zoom : FIT;
  // Several events may come before the next render.
  const newest = useRef(current);
  useLayoutEffect(() => {
    newest.current = current;
  });
  const change = (to: (zoom: Zoom) => Zoom) => {
    const [before, after] = [newest.current, limited(to(newest.current))];
    if (after.factor === before.factor && after.x === before.x && after.y === before.y) return;
    newest.current = after;
    setZoom({ of: place, zoom: after });
    zoomImage(after);
  };
  const limited = (to: Zoom) => withinView(to, sizesOf(view.current, image.current));
  useEffect(() => {
    const resized = () => change((at) => at);
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  });
  const pan = (x: number, y: number) => change((at) => ({ ...at, x: at.x + x, y: at.y + y }));
  return {
    zoom: current,
    view,
    image,
    magnify: (by, { x, y }, moved = { x: 0, y: 0 }) => {
      const { left = 0, top = 0, width = 0, height = 0 } = view.current?.getBoundingClientRect() ?? {};
      const at = { x: x - left - width / 2, y: y - top - height / 2 };
      change((before) => zoomBy({ ...before, x: before.x + moved.x, y: before.y + moved.y }, by, at));
    },
    perform(command) {
      const [x, y] = PANS[command] ?? [0, 0];
      if (command === 'fit') change(() => FIT);
      else if (command === 'zoomIn') change((before) => zoomBy(before, STEP, { x: 0, y: 0 }));
      else if (command === 'zoomOut') change((before) => zoomBy(before, 1 / STEP, { x: 0, y: 0 }));
      else pan(x, y);
    },
    isLarger: () => {
      const { image: size, view: room } = sizesOf(view.current, image.current);
      return size.width * current.factor > room.width || size.height * current.factor > room.height;
    },
  };
}

const sizesOf = (view: HTMLElement | null, image: HTMLElement | null): Sizes => ({
  image: { width: image?.offsetWidth ?? 0, height: image?.offsetHeight ?? 0 },
  view: { width: view?.clientWidth ?? 0, height: view?.clientHeight ?? 0 },
});

/** The sizes on which the limits of a zoom depend, in pixels. */
interface Sizes {
  /** The size of the image while it fits. */
  readonly image: ImageSize;
  /** The size of the viewer. */
  readonly view: ImageSize;
}

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
