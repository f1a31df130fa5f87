import { IconButton } from '../parts/IconButton.tsx';
import type { Compare } from '../session/state.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

const isCompare = (value: string): value is Compare =>
  value === 'previous' || value === 'range' || value === 'pinned';

/** Selects the step with which the selected step is compared. */
export function CompareWith() {
  const { navigate } = useInspector();
  const compare = useInspectorState((state) => state.compare);
  const pinned = useInspectorState((state) => state.pinned);
  const range = useInspectorState((state) => state.range);
  return (
    <>
      <select
        aria-label="Compare with"
        value={compare}
        onChange={({ target }) => isCompare(target.value) && navigate.compare(target.value)}
      >
        <option value="previous">since the step before</option>
        {range !== undefined && <option value="range">since the start of the range</option>}
        {pinned !== undefined && <option value="pinned">since step {pinned}, pinned</option>}
      </select>
      <IconButton icon="pin" name="Pin this step to compare with" onClick={navigate.pin} />
    </>
  );
}
