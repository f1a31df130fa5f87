import { formatTime } from '../../time/formatTime.ts';
import { Choice, IconButton, TextButton } from '../parts/controls.tsx';
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

const PLAY = [
  ['backward', 'playBackward', 'Play backward'],
  ['forward', 'play', 'Play'],
] as const;

function Transport() {
  const { navigate, play } = useInspector();
  const state = useInspectorState((all) => all);
  const { step, range, playing } = state;
  const { first, last } = stepBounds(state);
  const [toFirst, toLast] =
    range === undefined
      ? ['Before the first step', 'Last step']
      : ['First step of the range', 'Last step of the range'];
  const isLast = step === shownSteps(state);
  return (
    <fieldset className="transport" aria-label="Go through the steps">
      <IconButton icon="first" name={toFirst} disabled={step === first} onClick={navigate.toFirst} />
      <IconButton
        icon="previous"
        name="Previous step"
        disabled={step === 0}
        onClick={() => navigate.by(-1)}
      />
      {PLAY.map(([direction, icon, name]) => (
        <IconButton
          key={direction}
          icon={playing === direction ? 'pause' : icon}
          name={playing === direction ? 'Pause' : name}
          disabled={shownSteps(state) === 0}
          onClick={() => play.toggle(direction)}
        />
      ))}
      <IconButton icon="next" name="Next step" disabled={isLast} onClick={() => navigate.by(1)} />
      <IconButton icon="last" name={toLast} disabled={step === last} onClick={navigate.toLast} />
    </fieldset>
  );
}

function Position() {
  const step = useInspectorState((state) => state.step);
  const steps = useInspectorState(shownSteps);
  const view = useInspectorState((state) => state.view);
  return (
    <p className="position" data-drawn={view?.step}>
      <span>
        Step <strong>{step}</strong> of {steps}
      </span>
      <span className="faint">{step === 0 ? 'before the first' : formatTime(view?.row?.t ?? 0)}</span>
    </p>
  );
}

/** The speeds of playing. */
const SPEEDS = [1, 10, 100].map((speed) => [speed, `${speed}×`] as const);

/** Shows the speed of playing, and whether the page follows a live session. */
function PlaySettings() {
  const { store, follow } = useInspector();
  const { speed, capsIdle, isLive, follows } = useInspectorState((state) => state);
  return (
    <>
      <Choice name="Speed" options={SPEEDS} value={speed} onChoose={(to) => store.set({ speed: to })} />
      <TextButton
        className="toggle"
        name="Cut pauses"
        aria-pressed={capsIdle}
        title="Pauses longer than 0.500 are cut to 0.500"
        onClick={() => store.set({ capsIdle: !capsIdle })}
      />
      {isLive && (
        <TextButton
          className="toggle"
          name="Follow"
          aria-pressed={follows}
          onClick={() => follow(!follows)}
        />
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
      <TextButton name="Zoom" onClick={() => timeline.zoom(range)} />
      <IconButton icon="close" name="Clear the range" onClick={timeline.clearRange} />
    </p>
  );
}
