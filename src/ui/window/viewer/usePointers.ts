import { type PointerEvent, useRef } from 'react';
import type { Point, ViewerZoom } from './useZoom.ts';

/**
 * Returns the listeners to the pointers on the viewer: a drag moves the image, and two fingers magnify it around their middle. Pointers are followed
 * until they are released, also outside of the element.
 */
export function usePointers({ magnify }: Pick<ViewerZoom, 'magnify'>) {
  const pressed = useRef(new Map<number, Point>());
  const release = ({ pointerId }: PointerEvent) => void pressed.current.delete(pointerId);
  return {
    onPointerDown({ currentTarget, pointerId, button, clientX, clientY }: PointerEvent<HTMLElement>) {
      if (button !== 0) return;
      currentTarget.setPointerCapture(pointerId);
      pressed.current.set(pointerId, { x: clientX, y: clientY });
    },
    onPointerMove({ pointerId, clientX, clientY }: PointerEvent<HTMLElement>) {
      if (!pressed.current.has(pointerId)) return;
      const before = spreadOf(pressed.current);
      pressed.current.set(pointerId, { x: clientX, y: clientY });
      const { x, y, size } = spreadOf(pressed.current);
      const by = before.size > 0 && size > 0 ? size / before.size : 1;
      magnify(by, { x, y }, { x: x - before.x, y: y - before.y });
    },
    onPointerUp: release,
    onPointerCancel: release,
    onLostPointerCapture: release,
  };
}

/** Returns the middle of points, and their mean distance from it, in pixels. */
function spreadOf(points: ReadonlyMap<number, Point>): Point & { readonly size: number } {
  const all = Array.from(points.values());
  const [x, y] = [mean(all.map((one) => one.x)), mean(all.map((one) => one.y))];
  return { x, y, size: mean(all.map((one) => Math.hypot(one.x - x, one.y - y))) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
