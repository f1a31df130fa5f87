import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useImageUrl } from '#ui/base/useImageUrl.ts';
import type { FoundImage } from './findImage.ts';
import type { Point, ViewerZoom } from './useZoom.ts';

interface Props {
  readonly image: FoundImage;
  readonly name: string;
  readonly zoom: ViewerZoom;
}

/** Shows the image of the viewer: the wheel, a double click and two fingers magnify it, a drag moves it. */
export function ViewerImage({ image, name, zoom }: Props) {
  const url = useImageUrl(image.blob, image.place);
  const [broken, setBroken] = useState<string | null>(null);
  useWheel(zoom);
  const { view, image: element } = zoom;
  const { factor, x, y } = zoom.zoom;
  const pointers = usePointers(zoom);
  if (url === null || url === broken)
    return (
      <p className="viewer-broken">This image cannot be shown. You can save it and open it elsewhere.</p>
    );
  return (
    <div
      ref={view}
      className="viewer-view"
      data-zoomed={factor > 1 || undefined}
      {...pointers}
      onDoubleClick={({ clientX, clientY }) =>
        factor === 1 ? zoom.magnify(2, { x: clientX, y: clientY }) : zoom.perform('fit')
      }
    >
      <img
        key={url}
        ref={element}
        src={url}
        alt={name}
        draggable={false}
        style={{ transform: `translate(${x}px, ${y}px) scale(${factor})` }}
        onError={() => setBroken(url)}
      />
    </div>
  );
}

/** How far the wheel turns until the image is e times as large, in pixels. A touchpad reports two fingers as a wheel with Ctrl, in smaller steps. */
const WHEEL = { alone: 400, withCtrl: 100 } as const;

/** Magnifies with the wheel. The listener is not passive, because the browser would magnify the page with Ctrl. */
function useWheel(zoom: ViewerZoom): void {
  const current = useRef(zoom);
  useEffect(() => {
    current.current = zoom;
  });
  const { view } = zoom;
  useEffect(() => {
    const element = view.current;
    const turned = (event: WheelEvent) => {
      event.preventDefault();
      const turn = event.deltaY / (event.ctrlKey ? WHEEL.withCtrl : WHEEL.alone);
      current.current.magnify(Math.exp(-turn), { x: event.clientX, y: event.clientY });
    };
    element?.addEventListener('wheel', turned, { passive: false });
    return () => element?.removeEventListener('wheel', turned);
  }, [view]);
}

/**
 * Returns the listeners to the pointers on the viewer: a drag moves the image, and two fingers magnify it around their middle. Pointers are followed
 * until they are released, also outside of the element.
 */
function usePointers({ magnify }: Pick<ViewerZoom, 'magnify'>) {
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
