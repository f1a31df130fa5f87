import { memo } from 'react';
import type { Timeline } from '../../protocol/protocol.ts';
import { HEIGHT, LANES } from './lanes.ts';

interface Props {
  readonly timeline: Timeline;
  readonly lanes: readonly (typeof LANES)[number][];
}

/** Draws the timeline; one unit is the width of a column. Re-renders only when the range or the session changes. */
export const Plot = memo(function Plot({ timeline, lanes }: Props) {
  const columns = timeline.received.length;
  const x = (t: number) => ((t - timeline.from) / Math.max(1e-9, timeline.to - timeline.from)) * columns;
  return (
    <svg
      className="plot"
      viewBox={`0 0 ${columns} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {timeline.connection.map(({ from, to, connected }) => (
        <rect
          key={from}
          className={connected ? 'band connected' : 'band'}
          x={x(from)}
          y={3}
          width={Math.max(0, x(to) - x(from))}
          height={5}
        />
      ))}
      {lanes.map(({ id, path, ...lane }) => (
        <path key={id} className={`lane ${id}`} d={path(timeline[id], lane)} />
      ))}
      <path className="lane rejected" d={LANES[0].path(timeline.rejected, LANES[0])} />
    </svg>
  );
});
