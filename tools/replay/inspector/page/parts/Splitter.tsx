import type { KeyboardEvent, PointerEvent } from 'react';

interface Props {
  readonly name: string;
  /** The orientation of the line between the panes. */
  readonly orientation: 'vertical' | 'horizontal';
  /** The size of the resized pane, in pixels. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** 1: a move to the right (or down) enlarges the pane; -1: it reduces it. */
  readonly direction: 1 | -1;
  readonly onSize: (size: number) => void;
}

/** The distance by which a key moves the line, in pixels. */
const STEP = 24;

/** Shows the line between two panes, which the pointer and the arrow keys move. */
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
    // A separator with a value is a control.
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
