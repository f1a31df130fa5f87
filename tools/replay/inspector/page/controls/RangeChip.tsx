import { IconButton } from '../parts/IconButton.tsx';
import { formatTime } from '../../time/formatTime.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

/** Shows the range that limits every pane, with a button that clears it. */
export function RangeChip() {
  const { timeline } = useInspector();
  const range = useInspectorState((state) => state.range);
  if (range === undefined) return null;
  return (
    <p className="range-chip">
      <span>
        Range {formatTime(range.from)} – {formatTime(range.to)}
      </span>
      <button type="button" className="text-button" onClick={() => timeline.zoom(range)}>
        Zoom
      </button>
      <IconButton icon="close" name="Clear the range" onClick={() => void timeline.select(undefined)} />
    </p>
  );
}
