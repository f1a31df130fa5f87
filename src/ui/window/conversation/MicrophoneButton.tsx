import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { RECORDING_MS } from '#shared/limits.ts';
import { selectAudio } from '#shared/store/selectors.ts';
import { MicrophoneIcon, StopIcon } from '#ui/base/icons.tsx';
import { useWindowActs } from '../base/WindowActs.ts';

/** Interval between updates of the remaining time, in milliseconds. */
const REDRAW_MS = 200;

/** Shows the record button while voice is on (spec §3.3); while recording, shows the remaining time too. */
export function MicrophoneButton() {
  const { request } = useWindowActs();
  const { isOn, isRecording } = useSelector(selectAudio);
  if (!isOn) return null;
  return (
    <>
      <button
        type="button"
        className="quiet attach microphone"
        aria-label="Record"
        aria-pressed={isRecording}
        title={isRecording ? 'Stop and send (Ctrl+Enter, ⌘+Enter)' : 'Record (Ctrl+Enter, ⌘+Enter)'}
        onClick={() => request('toggleRecording')}
      >
        {isRecording ? <StopIcon /> : <MicrophoneIcon />}
      </button>
      <p className="recording" aria-live="polite">
        {isRecording && <span className="recording-text">Recording</span>}
        {isRecording && <TimeLeft />}
      </p>
    </>
  );
}

/** Shows the remaining time, counted from its first render. Screen readers do not announce each second. */
function TimeLeft() {
  const [since] = useState(() => performance.now());
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((since + RECORDING_MS - now) / 1000));
  return (
    <span className="recording-time" role="timer" aria-live="off" aria-label={`${seconds} seconds left`}>
      {seconds} s left
    </span>
  );
}
