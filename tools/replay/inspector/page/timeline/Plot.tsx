import { memo, useEffect, useState } from 'react';
import type { Timeline, SessionInfo } from '../../protocol/protocol.ts';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Range } from '../session/inspectorState.ts';

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

/** Returns the position of a time in the shown range, in percent. */
const positionOf = (t: number, { from, to }: Range): number => ((t - from) / Math.max(1e-9, to - from)) * 100;

const isWithin = (percent: number) => percent >= 0 && percent <= 100;

/** Shows the line of the selected step, the only part that moves while the person scrubs. */
export function Playhead() {
  const t = useInspectorState((state) => state.view?.row?.t ?? 0);
  const zoom = useInspectorState((state) => state.zoom);
  const at = positionOf(t, zoom);
  return isWithin(at) ? <div className="playhead" style={{ insetInlineStart: `${at}%` }} /> : null;
}

/** Marks the time of a step. */
export function StepMark({ step }: { readonly step: number }) {
  const { client, fail } = useInspector();
  const zoom = useInspectorState((state) => state.zoom);
  const [t, setT] = useState<number>();
  useEffect(() => {
    client.request('times', { step, count: 1 }).then(([time]) => setT(time), fail);
  }, [client, fail, step]);
  const at = positionOf(t ?? -Infinity, zoom);
  return isWithin(at) ? <div className="divergence-mark" style={{ insetInlineStart: `${at}%` }} /> : null;
}

/** Shows the range that is being dragged or is selected. */
export function RangeShade({ dragged }: { readonly dragged: Range | undefined }) {
  const selected = useInspectorState((state) => state.range);
  const zoom = useInspectorState((state) => state.zoom);
  const range = dragged ?? selected;
  if (range === undefined) return null;
  const from = Math.max(0, positionOf(range.from, zoom));
  const to = Math.min(100, positionOf(range.to, zoom));
  if (to <= from) return null;
  return <div className="range-shade" style={{ insetInlineStart: `${from}%`, width: `${to - from}%` }} />;
}

/** Shows a mark for the errors of each short part of the range, which goes to the first of them. Its length shows their number. */
export function ErrorMarks({ onGo }: { readonly onGo: (step: number) => void }) {
  const errors = useInspectorState((state) => state.timeline?.errors);
  const zoom = useInspectorState((state) => state.zoom);
  return errors?.map(({ t, step, count, text }) => (
    <button
      key={step}
      type="button"
      className="error-mark"
      style={{ insetInlineStart: `${positionOf(t, zoom)}%`, height: markLength(count) }}
      aria-label={
        count === 1 ? `Error at step ${step}: ${text}` : `${count} errors from step ${step} on: ${text}`
      }
      title={
        count === 1
          ? `Step ${step}: ${text}`
          : `${formatPlural(count, 'error')} from step ${step} on: ${text}`
      }
      tabIndex={-1}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => onGo(step)}
    />
  ));
}

/** The height of the drawing, in pixels. */
const HEIGHT = 112;

/** The lanes, from the top. The styles use their `id`. */
const LANES = [
  { id: 'received', label: 'Received', floor: 34, height: 20, path: barsPath },
  { id: 'sent', label: 'Sent', floor: 54, height: 14, path: barsPath },
  { id: 'applied', label: 'Applied', floor: 78, height: 18, path: barsPath },
  { id: 'queue', label: 'Queue', floor: 108, height: 24, path: areaPath },
] as const satisfies readonly (Lane & {
  id: keyof Timeline;
  label: string;
  path: (values: Uint32Array, lane: Lane) => string;
})[];

const WITHOUT_QUEUE = LANES.filter(({ id }) => id !== 'queue');

/** Returns the lanes of a session; the app of some sessions has no queue. */
export const lanesOf = (info: SessionInfo | undefined): readonly (typeof LANES)[number][] =>
  info?.app?.hasQueue === false ? WITHOUT_QUEUE : LANES;

/** Describes the longest queue of the range. */
export const describeLongestQueue = ({ queue }: Timeline): string => `longest ${formatCount(maximum(queue))}`;

/** A lane of the drawing: its base line and the height of its maximum value. */
interface Lane {
  readonly floor: number;
  readonly height: number;
}

/** Returns the maximum of the values. */
const maximum = (values: Uint32Array): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Returns the height of a value; a small value beside large ones stays visible. */
const barHeight = (value: number, most: number, { height }: Lane): number =>
  value === 0 ? 0 : Math.max(height * 0.12, (value / most) * height);

/** Returns the SVG path of a bar in each column with a value. Columns are one unit wide. */
export function barsPath(values: Uint32Array, lane: Lane): string {
  const most = maximum(values);
  const bars: string[] = [];
  values.forEach((value, x) => {
    if (value > 0)
      bars.push(`M${x} ${lane.floor}v${(-barHeight(value, most, lane)).toFixed(1)}h1V${lane.floor}z`);
  });
  return bars.join('');
}

/** Returns the SVG path of the values as a stepped area. */
export function areaPath(values: Uint32Array, lane: Lane): string {
  const most = maximum(values);
  if (most === 0) return '';
  const steps = Array.from(values, (value) => `V${(lane.floor - barHeight(value, most, lane)).toFixed(1)}h1`);
  return `M0 ${lane.floor}${steps.join('')}V${lane.floor}z`;
}

/** The lengths of the marks of one error and of ten times as many, in pixels. */
const MARK = { one: 10, more: 6, longest: 34 } as const;

/** Returns the length of the mark of a number of errors, in pixels: it grows with each power of ten. */
export const markLength = (count: number): number =>
  Math.min(MARK.longest, Math.round(MARK.one + MARK.more * Math.log10(count)));
