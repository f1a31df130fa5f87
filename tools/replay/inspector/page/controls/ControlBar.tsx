import { IconButton } from '../parts/IconButton.tsx';
import { formatTime } from '../../time/formatTime.ts';
import { shownSteps, stepBounds } from '../session/state.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { PlaySettings } from './PlaySettings.tsx';
import { RangeChip } from './RangeChip.tsx';
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
