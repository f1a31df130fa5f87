import { recordingFailed, recordingToggleRequested } from '#shared/actions/userActions.ts';
import type { ParleyBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';

/** The window's messages about recordings. */
export const DENIED =
  'Parley may not use the microphone. Allow it in the settings of the browser or system, then try again.';
export const NEEDS_RELOAD = 'Voice was turned on after this page was loaded. Reload the page, then record.';
export const NO_MICROPHONE = 'There is no microphone. Connect one, then try again.';
export const MICROPHONE_BUSY =
  'The microphone cannot be used: another program may be using it. Nothing was sent.';
const MICROPHONE_GONE =
  'The microphone is no longer available. The recording was dropped and nothing was sent.';
const NOT_READY = 'The microphone was not ready before the recording ended. Nothing was sent.';
const NOT_SENT = 'The recording could not be sent.';

interface Deps {
  readonly parley: Pick<ParleyBridge, 'invoke' | 'send'>;
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  readonly alert: (text: string) => void;
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
export function recordOnRequest({ parley, tools, alert, reloadToRecord }: Deps): void {
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

/** Returns the message why the microphone could not be opened, and what to do. */
export function explainMicrophoneError(error: unknown, mayAsk: boolean): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return mayAsk ? DENIED : NEEDS_RELOAD;
  // Not `OverconstrainedError`: it is not a `DOMException` in every browser, and Parley sets no constraints.
  return name === 'NotFoundError' ? NO_MICROPHONE : MICROPHONE_BUSY;
}

/**
 * Returns whether the page's permissions policy allows it to ask for the microphone. The policy was sent with the document: it forbids the
 * microphone when voice was off in the web host at that time.
 */
function mayAskForMicrophone(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy');
  if (typeof policy !== 'object' || policy === null) return true;
  const allows: unknown = Reflect.get(policy, 'allowsFeature');
  return typeof allows !== 'function' || Reflect.apply(allows, policy, ['microphone']) !== false;
}

/** The mark in the page's session storage: the reload was made to record. */
const KEY = 'parley-record-after-reload';

interface ReloadDeps {
  readonly tools: Pick<ParleyToolsBridge, 'on' | 'send'>;
  /** `null`: the browser refuses it; then the page is not reloaded. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** Returns whether a reload would lose something that the person sees or has entered. */
  readonly losesSomething: () => boolean;
  readonly reload: () => void;
}

/** Reloads the page so that it may use the microphone. */
interface ReloadToRecord {
  /** Returns whether `reload` loses nothing and can help: directly after such a reload it cannot. */
  isPossible(): boolean;
  /** Reloads the page, which then starts a recording. */
  reload(): void;
}

/**
 * In the web host, the response with the document says whether the page may use the microphone: a page that was loaded while voice was off must be loaded
 * again. Creates the page's part of it, and starts the recording for which this page was loaded.
 *
 *     loaded ── reload() ──▶ loaded for a recording ── main has seen the load: toggleRecording ──▶ loaded
 */
export function createReloadToRecord({ tools, storage, losesSomething, reload }: ReloadDeps): ReloadToRecord {
  const wasReloaded = storage?.getItem(KEY) === 'yes';
  storage?.removeItem(KEY);
  if (wasReloaded) {
    // Main discards the recordings of a page that loads, and then requests its state.
    const stop = tools.on('requestState', () => {
      stop();
      tools.send('action', recordingToggleRequested());
    });
  }
  return {
    isPossible: () => storage !== null && !wasReloaded && !losesSomething(),
    reload() {
      storage?.setItem(KEY, 'yes');
      reload();
    },
  };
}

/** A recording from the microphone. */
interface MicrophoneRecording {
  /** Ends the recording and returns it as one sound, which is empty when nothing was recorded. */
  end(): Promise<Blob>;
  /** Ends the recording and drops it. */
  discard(): void;
}

const TYPE = 'audio/webm;codecs=opus';
/** Enough for speech: a recording of 15 s is smaller than 100 kB. */
const BITS_A_SECOND = 32_000;
/** Interval between the recorder's chunks, in milliseconds. */
const TIMESLICE_MS = 250;

/**
 * Opens the microphone and starts to record (spec §3.3).
 * @param onLost is called when the device is disconnected or fails.
 * @throws {DOMException} of `getUserMedia`: `NotAllowedError`, `NotFoundError` and others.
 */
async function openMicrophone(onLost: () => void): Promise<MicrophoneRecording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream, { mimeType: TYPE, audioBitsPerSecond: BITS_A_SECOND });
  let chunks: Blob[] = [];
  const release = () => stream.getTracks().forEach((track) => track.stop());

  recorder.addEventListener('dataavailable', ({ data }) => void chunks.push(data));
  recorder.addEventListener('error', onLost, { once: true });
  for (const track of stream.getTracks()) track.addEventListener('ended', onLost, { once: true });
  recorder.start(TIMESLICE_MS);

  return {
    async end() {
      await stopped(recorder);
      release();
      const merged = new Blob(chunks, { type: TYPE });
      chunks = [];
      return merged;
    },
    discard() {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
      chunks = [];
    },
  };
}

/** Resolves when the recorder has delivered its last chunk. */
const stopped = (recorder: MediaRecorder): Promise<void> =>
  new Promise((resolve) => {
    if (recorder.state === 'inactive') return resolve();
    recorder.addEventListener('stop', () => resolve(), { once: true });
    return recorder.stop();
  });
