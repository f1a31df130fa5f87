import { Choice } from '../parts/Choice.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';

/** The speeds of playing. */
const SPEEDS = [
  [1, '1×'],
  [10, '10×'],
  [100, '100×'],
] as const;

/** Shows the speed of playing, and whether the page follows a live session. */
export function PlaySettings() {
  const { store, follow } = useInspector();
  const speed = useInspectorState((state) => state.speed);
  const capsIdle = useInspectorState((state) => state.capsIdle);
  const isLive = useInspectorState((state) => state.isLive);
  const follows = useInspectorState((state) => state.follows);
  return (
    <>
      <Choice<number>
        name="Speed"
        options={SPEEDS}
        value={speed}
        onChoose={(to) => store.set({ speed: to })}
      />
      <button
        type="button"
        className="toggle"
        aria-pressed={capsIdle}
        title="Pauses longer than 0.500 are cut to 0.500"
        onClick={() => store.set({ capsIdle: !capsIdle })}
      >
        Cut pauses
      </button>
      {isLive && (
        <button type="button" className="toggle" aria-pressed={follows} onClick={() => follow(!follows)}>
          Follow
        </button>
      )}
    </>
  );
}
