import type { KeyboardEvent, PointerEvent } from 'react';

interface Props {
  readonly name: string;
  /** How the line between the panes runs. */
  readonly orientation: 'vertical' | 'horizontal';
  /** The size of the pane that is sized, in pixels. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** 1: a move to the right (or down) makes it larger; -1: smaller. */
  readonly direction: 1 | -1;
  readonly onSize: (size: number) => void;
}

/** A key moves the line by so many pixels. */
const STEP = 24;

/** The line between two panes, to be dragged or moved by the arrow keys. */
export function Splitter({ name, orientation, size, min, max, direction, onSize }: Props) {
  const resize = (to: number) => onSize(Math.round(Math.min(max, Math.max(min, to))));
  const position = (event: { clientX: number; clientY: number }) =>
    orientation === 'vertical' ? event.clientX : event.clientY;
  const drag = (down: PointerEvent<HTMLElement>) => {
    const line = down.currentTarget;
    const from = position(down);
    line.setPointerCapture(down.pointerId);
    const move = (event: globalThis.PointerEvent) => resize(size + (position(event) - from) * direction);
    line.addEventListener('pointermove', move);
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', move), {
      once: true,
    });
  };
  const key = (event: KeyboardEvent) => {
    const [less, more] = orientation === 'vertical' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    event.stopPropagation();
    resize(size + (event.key === more ? STEP : -STEP) * direction);
  };
  return (
    // A separator that has a value is a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className="splitter"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="separator"
      aria-label={name}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={key}
    />
  );
}
