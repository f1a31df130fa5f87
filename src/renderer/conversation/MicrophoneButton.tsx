import { useEffect, useState } from 'react';
import { useSelector } from 'react-redux';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { RECORDING_MS } from '#shared/limits.ts';
import { selectAudio } from '#shared/store/selectors.ts';
import { MicrophoneIcon, StopIcon } from '#ui/base/icons.tsx';

/** How often the time that is left is drawn anew, in milliseconds. */
const REDRAW_MS = 200;

/** Records (spec §3.3), where voice is on; and says that, and for how long still, something is recorded. */
export function MicrophoneButton({ tools }: { readonly tools: Pick<ParleyToolsBridge, 'send'> }) {
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
        onClick={() => tools.send('toggleRecording')}
      >
        {isRecording ? <StopIcon /> : <MicrophoneIcon />}
      </button>
      <p className="recording" aria-live="polite">
        {isRecording && <span className="recording-words">Recording</span>}
        {isRecording && <TimeLeft />}
      </p>
    </>
  );
}

/** From its first drawing on it counts down; it is not read out each second. */
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
