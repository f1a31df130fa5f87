import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSelector } from 'react-redux';
import { ClipIcon, MicrophoneIcon, StopIcon } from '#ui/base/icons.tsx';
import { RECORDING_MS } from '#shared/limits.ts';
import { recordingToggleRequested } from '#shared/actions/userActions.ts';
import { selectAudio } from '#shared/store/rootReducer.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { useLive, usePicture } from '../base/Picture.ts';
import { AnswerButtons } from './AnswerButtons.tsx';
import { Composer } from './Composer.tsx';
import { ModelButton } from './ModelButton.tsx';

interface Props {
  /** The conversation: takes the focus of what disappears. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows what a person answers with, below the conversation: the buttons about the newest answer beside the name of who answers, and below them those of a new message. */
export function Dock({ log }: Props) {
  const { sendFile } = useWindowCommands();
  return (
    <>
      <AnswerButtons log={log}>
        <ModelButton />
      </AnswerButtons>
      <div className="dock">
        <AttachButton onFile={sendFile} />
        <MicrophoneButton />
        <Composer log={log} />
      </div>
    </>
  );
}

/** Shows the button that opens the file dialog. */
function AttachButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="quiet attach"
        aria-label="Attach a file"
        title="Attach a file"
        onClick={() => input.current?.click()}
      >
        <ClipIcon />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          // Without this, picking the same file again causes no event.
          target.value = '';
        }}
      />
    </>
  );
}

/** Interval between updates of the remaining time, in milliseconds. */
const REDRAW_MS = 200;

/** Shows the record button while voice is on (spec §3.3); while recording, shows the remaining time too. */
function MicrophoneButton() {
  const { send } = useWindowCommands();
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
        onClick={() => send(recordingToggleRequested())}
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
