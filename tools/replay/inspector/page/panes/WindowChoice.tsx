import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/state.ts';

/** Chooses the window that the pane shows, in a session with several windows. */
export function WindowChoice() {
  const { navigate } = useInspector();
  const windows = useInspectorState((state) => shownInfo(state)?.windows);
  const number = useInspectorState((state) => state.view?.parley?.window.number ?? undefined);
  if (windows === undefined || windows.length < 2) return null;
  return (
    <select
      className="window-choice"
      aria-label="Window"
      value={number ?? ''}
      onChange={({ target }) => navigate.chooseWindow(Number(target.value))}
    >
      {number === undefined && <option value="">none open</option>}
      {windows.map((one) => (
        <option key={one} value={one}>
          Window {one}
        </option>
      ))}
    </select>
  );
}
