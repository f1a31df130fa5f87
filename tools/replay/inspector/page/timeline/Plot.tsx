import { memo } from 'react';
import type { Timeline, SessionInfo } from '../../protocol/protocol.ts';
import { formatPlural, formatCount } from '../parts/format.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import type { Range } from '../session/inspectorState.ts';
import { useLoaded } from '../session/useLoaded.ts';

/** The height of the drawing, in pixels. */
const HEIGHT = 112;

/** The lanes, from the top: the tops of their names, their base lines and the heights of their maximum values. The styles use their `id`. */
const LANES = [
  { id: 'received', label: 'Received', top: 46, floor: 34, height: 20 },
  { id: 'sent', label: 'Sent', top: 67, floor: 54, height: 14 },
  { id: 'applied', label: 'Applied', top: 90, floor: 78, height: 18 },
  { id: 'queue', label: 'Queue', top: 107, floor: 108, height: 24 },
] as const;

const WITHOUT_QUEUE = LANES.filter(({ id }) => id !== 'queue');

/** Returns the lanes of a session; the app of some sessions has no queue. */
export const lanesOf = (info: SessionInfo | undefined): readonly (typeof LANES)[number][] =>
  info?.app?.hasQueue === false ? WITHOUT_QUEUE : LANES;

type Props = Readonly<{ timeline: Timeline; lanes: ReturnType<typeof lanesOf> }>;

/** Draws the timeline; one unit is the width of a column. Re-renders only when the range or the session changes. */
export const Plot = memo(function Plot({ timeline, lanes }: Props) {
  const columns = timeline.received.length;
  const x = (t: number) => (positionOf(t, timeline) * columns) / 100;
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
      {lanes.map((lane) => (
        <path key={lane.id} className={`lane ${lane.id}`} d={lanePath(timeline[lane.id], lane)} />
      ))}
      <path className="lane rejected" d={lanePath(timeline.rejected, LANES[0])} />
    </svg>
  );
});

/** Returns the position of a time in the shown range, in percent. */
const positionOf = (t: number, { from, to }: Range): number => ((t - from) / Math.max(1e-9, to - from)) * 100;

/** Shows the line of the selected step, the only part that moves while the person scrubs. */
export function Playhead() {
  const t = useInspectorState((state) => state.view?.row?.t ?? 0);
  return <TimeMark className="playhead" t={t} />;
}

/** Marks the time of a step. */
export function StepMark({ step }: { readonly step: number }) {
  const inspector = useInspector();
  const load = () => inspector.client.request('times', { step, count: 1 });
  const [t] = useLoaded(inspector, load, [step]) ?? [];
  return <TimeMark className="divergence-mark" t={t ?? -Infinity} />;
}

/** Marks a time of the shown range. */
function TimeMark({ className, t }: { readonly className: string; readonly t: number }) {
  const at = positionOf(
    t,
    useInspectorState((state) => state.zoom),
  );
  return at >= 0 && at <= 100 ? <div className={className} style={{ insetInlineStart: `${at}%` }} /> : null;
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
      aria-label={`${count === 1 ? `Error at step ${step}` : `${count} errors from step ${step} on`}: ${text}`}
      title={`${count === 1 ? `Step ${step}` : `${formatPlural(count, 'error')} from step ${step} on`}: ${text}`}
      tabIndex={-1}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => onGo(step)}
    />
  ));
}

/** Describes the longest queue of the range. */
export const describeLongestQueue = ({ queue }: Timeline): string => `longest ${formatCount(maximum(queue))}`;

/** Returns the maximum of the values. */
const maximum = (values: Uint32Array): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Returns the SVG path of the values as bars, each one unit wide; a small value beside large ones stays visible. */
export function lanePath(values: Uint32Array, { floor, height }: { floor: number; height: number }): string {
  const most = maximum(values);
  if (most === 0) return '';
  const top = (value: number) => floor - (value && Math.max(height * 0.12, (value / most) * height));
  return `M0 ${floor}${Array.from(values, (value) => `V${top(value).toFixed(1)}h1`).join('')}V${floor}z`;
}

/** Returns the length of the mark of a number of errors, in pixels: it grows with each power of ten, up to a limit. */
export const markLength = (count: number): number => Math.min(34, Math.round(10 + 6 * Math.log10(count)));
