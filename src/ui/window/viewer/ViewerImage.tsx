import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useImageUrl } from '#ui/image/useImageUrl.ts';
import type { FoundImage } from './findImage.ts';
import type { ViewerZoom } from './useZoom.ts';

interface Props {
  readonly image: FoundImage;
  readonly name: string;
  readonly zoom: ViewerZoom;
}

/** Shows the image of the viewer: the wheel and a double click magnify it, a drag moves it. */
export function ViewerImage({ image, name, zoom }: Props) {
  const url = useImageUrl(image.blob, image.place);
  const [broken, setBroken] = useState<string | null>(null);
  useWheel(zoom);
  const { view, image: element } = zoom;
  const { factor, x, y } = zoom.zoom;
  const moved = ({ currentTarget, pointerId, movementX, movementY }: PointerEvent<HTMLDivElement>) => {
    if (currentTarget.hasPointerCapture(pointerId)) zoom.pan(movementX, movementY);
  };
  if (url === null || url === broken)
    return (
      <p className="viewer-broken">This image cannot be shown. You can save it and open it elsewhere.</p>
    );
  return (
    <div
      ref={view}
      className="viewer-view"
      data-zoomed={factor > 1 || undefined}
      onPointerDown={pressed}
      onPointerMove={moved}
      onDoubleClick={({ clientX, clientY }) =>
        factor === 1 ? zoom.magnify(2, clientX, clientY) : zoom.perform('fit')
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

/** Follows the pointer until it is released, also outside of the element. */
const pressed = ({ currentTarget, pointerId, button }: PointerEvent<HTMLDivElement>) => {
  if (button === 0) currentTarget.setPointerCapture(pointerId);
};

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
      current.current.magnify(Math.exp(-event.deltaY / 400), event.clientX, event.clientY);
    };
    element?.addEventListener('wheel', turned, { passive: false });
    return () => element?.removeEventListener('wheel', turned);
  }, [view]);
}
