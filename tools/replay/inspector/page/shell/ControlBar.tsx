import { formatTime } from '../../time/formatTime.ts';
import { Choice, IconButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownSteps, stepBounds } from '../session/inspectorState.ts';
import { SearchBar } from './SearchBar.tsx';

/** Shows the controls for moving through the session. */
export function ControlBar() {
  return (
    <section className="controls" aria-label="Time travel">
      <Transport />
      <Position />
      <PlaySettings />
      <RangeChip />
      <SearchBar />
    </section>
  );
}

function Transport() {
  const { navigate, play } = useInspector();
  const playing = useInspectorState((state) => state.playing);
  const steps = useInspectorState(shownSteps);
  const hasRange = useInspectorState((state) => state.range !== undefined);
  const isFirst = useInspectorState((state) => state.step === 0);
  const isLast = useInspectorState((state) => state.step === shownSteps(state));
  const isAtFirst = useInspectorState((state) => state.step === stepBounds(state).first);
  const isAtLast = useInspectorState((state) => state.step === stepBounds(state).last);
  return (
    <fieldset className="transport" aria-label="Go through the steps">
      <IconButton
        icon="first"
        name={hasRange ? 'First step of the range' : 'Before the first step'}
        disabled={isAtFirst}
        onClick={navigate.toFirst}
      />
      <IconButton icon="previous" name="Previous step" disabled={isFirst} onClick={() => navigate.by(-1)} />
      <IconButton
        icon={playing === 'backward' ? 'pause' : 'playBackward'}
        name={playing === 'backward' ? 'Pause' : 'Play backward'}
        disabled={steps === 0}
        onClick={() => play.toggle('backward')}
      />
      <IconButton
        icon={playing === 'forward' ? 'pause' : 'play'}
        name={playing === 'forward' ? 'Pause' : 'Play'}
        disabled={steps === 0}
        onClick={() => play.toggle('forward')}
      />
      <IconButton icon="next" name="Next step" disabled={isLast} onClick={() => navigate.by(1)} />
      <IconButton
        icon="last"
        name={hasRange ? 'Last step of the range' : 'Last step'}
        disabled={isAtLast}
        onClick={navigate.toLast}
      />
    </fieldset>
  );
}

function Position() {
  const step = useInspectorState((state) => state.step);
  const steps = useInspectorState(shownSteps);
  const t = useInspectorState((state) => state.view?.row?.t ?? 0);
  const drawn = useInspectorState((state) => state.view?.step);
  return (
    <p className="position" data-drawn={drawn}>
      <span>
        Step <strong>{step}</strong> of {steps}
      </span>
      <span className="position-time">{step === 0 ? 'before the first' : formatTime(t)}</span>
    </p>
  );
}

/** The speeds of playing. */
const SPEEDS = [
  [1, '1×'],
  [10, '10×'],
  [100, '100×'],
] as const;

/** Shows the speed of playing, and whether the page follows a live session. */
function PlaySettings() {
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

/** Shows the range that limits every pane, with a button that clears it. */
function RangeChip() {
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
      <IconButton icon="close" name="Clear the range" onClick={timeline.clearRange} />
    </p>
  );
}
