import { formatPlural } from '../parts/format.ts';
import { markLength } from './paths.ts';
import type { Range } from '../session/state.ts';
import { useEffect, useState } from 'react';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

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
