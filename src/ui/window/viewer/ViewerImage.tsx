import { useEffect, useRef, useState } from 'react';
import { useImageUrl } from '#ui/image/useImageUrl.ts';
import type { FoundImage } from './findImage.ts';
import { usePointers } from './usePointers.ts';
import type { ViewerZoom } from './useZoom.ts';

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
