import { recordingFailed } from '#shared/actions/userActions.ts';
import type { ParleyBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';
import type { MicrophoneRecording } from './microphone.ts';
import { mayAskForMicrophone, explainMicrophoneError } from './explainMicrophoneError.ts';
import type { ReloadToRecord } from './reloadToRecord.ts';
import { MICROPHONE_GONE, NEEDS_RELOAD, NOT_READY, NOT_SENT } from './audioTexts.ts';

interface Deps {
  readonly parley: Pick<ParleyBridge, 'invoke' | 'send'>;
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  readonly alert: (text: string) => void;
  readonly openMicrophone: (onLost: () => void) => Promise<MicrophoneRecording>;
  readonly reloadToRecord: ReloadToRecord;
}

/** A recording that main has started in this window. */
interface Capture {
  readonly number: number;
  /** Set once the microphone is open. */
  recording: MicrophoneRecording | undefined;
}

/**
 * Records in this window when main requests it (spec §3.3).
 *
 *     idle ── start ──▶ opening ── open ──▶ recording ── stop ──▶ idle: merged, encoded and sent
 *      ▲                   │                    │
 *      ├── denied, absent, ┴─ the device fails, ┘
 *      │   stop, discard      discard
 *      └── the page must be loaded again: it reloads, and records then
 */
export function followCapture({ parley, tools, alert, openMicrophone, reloadToRecord }: Deps): void {
  let current: Capture | undefined;

  const fail = (capture: Capture, text: string) => {
    if (current !== capture) return;
    current = undefined;
    capture.recording?.discard();
    const reloads = text === NEEDS_RELOAD && reloadToRecord.isPossible();
    if (!reloads) alert(text);
    tools.send('action', recordingFailed({ number: capture.number }));
    if (reloads) reloadToRecord.reload();
  };
  const start = async (capture: Capture) => {
    try {
      const recording = await openMicrophone(() => fail(capture, MICROPHONE_GONE));
      if (current === capture) capture.recording = recording;
      else recording.discard();
    } catch (error) {
      fail(capture, explainMicrophoneError(error, mayAskForMicrophone()));
    }
  };
  const send = async (recording: MicrophoneRecording) => {
    const sound = await recording.end();
    if (sound.size === 0) return alert(NOT_READY);
    const blob = await parley.invoke('encode', await sound.arrayBuffer());
    return parley.send('message', { category: 'audio', text: null, blob });
  };

  tools.on('capture', (order, number) => {
    if (order === 'start') {
      current?.recording?.discard();
      current = { number, recording: undefined };
      void start(current);
      return;
    }
    if (current?.number !== number) return;
    const { recording } = current;
    current = undefined;
    if (order === 'discard') recording?.discard();
    else if (recording === undefined) alert(NOT_READY);
    else send(recording).catch(() => alert(NOT_SENT));
  });
}
