import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import { RECORDING_MS } from '#shared/limits.ts';
import { selectAudio } from '#shared/store/selectors.ts';
import { MicrophoneIcon, StopIcon } from '#ui/base/icons.tsx';
import { useLive, usePicture } from '../base/Picture.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Interval between updates of the remaining time, in milliseconds. */
const REDRAW_MS = 200;

/** Shows the record button while voice is on (spec §3.3); while recording, shows the remaining time too. */
export function MicrophoneButton() {
  const { request } = useWindowActs();
  const { isOn, isRecording } = useSelector(selectAudio);
  const live = useLive();
  const picture = usePicture();
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
      <p className="recording" aria-live={live}>
        {isRecording && <span className="recording-text">Recording</span>}
        {isRecording &&
          (picture === null ? <RunningTimeLeft /> : <TimeLeft recordedMs={picture.recordedMs} />)}
      </p>
    </>
  );
}

/** Shows the remaining time, counted from its first render. */
function RunningTimeLeft() {
  const [since] = useState(() => performance.now());
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), REDRAW_MS);
    return () => clearInterval(timer);
  }, []);
  return <TimeLeft recordedMs={now - since} />;
}

/** Shows the remaining time. Screen readers do not announce each second. */
function TimeLeft({ recordedMs }: { readonly recordedMs: number }) {
  const seconds = Math.max(0, Math.ceil((RECORDING_MS - recordedMs) / 1000));
  return (
    <span className="recording-time" role="timer" aria-live="off" aria-label={`${seconds} seconds left`}>
      {seconds} s left
    </span>
  );
}
