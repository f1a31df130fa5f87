import { memo } from 'react';
import { formatTime } from '../../time/formatTime.ts';
import type { Range } from '../session/state.ts';

/** The minimum distance between two marks, in pixels. */
const MIN_DISTANCE = 110;
/** The minimum distance of a mark from the right end, in pixels; its label would be cut off closer to it. */
const MIN_LABEL_WIDTH = 44;

/** Returns a round interval, at least 1 ms, that keeps the marks apart. */
function roundStep(length: number, width: number): number {
  const least = (length * MIN_DISTANCE) / Math.max(1, width);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

interface Props {
  readonly zoom: Range;
  /** In pixels. */
  readonly width: number;
}

/** Shows the times above the timeline. */
export const Ruler = memo(function Ruler({ zoom: { from, to }, width }: Props) {
  const step = roundStep(to - from, width);
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * step).map((t) => (
    <span key={t} className="mark" style={{ insetInlineStart: `${((t - from) / (to - from)) * 100}%` }}>
      {((to - t) / (to - from)) * width >= MIN_LABEL_WIDTH && formatTime(t)}
    </span>
  ));
});
