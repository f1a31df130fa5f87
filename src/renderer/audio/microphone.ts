/** What is being captured from the microphone. */
export interface Take {
  /** Ends it and gives all that was captured, as one sound; empty when nothing was. */
  end(): Promise<Blob>;
  /** Ends it and forgets what was captured. */
  discard(): void;
}

const TYPE = 'audio/webm;codecs=opus';
/** Enough for speech: the 15 s of a recording stay under 100 kB. */
const BITS_A_SECOND = 32_000;
/** The recorder hands over what it has this often, in milliseconds. */
const TIMESLICE_MS = 250;

/**
 * Opens the microphone and captures (spec §3.3). `onLost` is called once when the device goes away, or fails.
 * @throws {DOMException} `NotAllowedError`, `NotFoundError` and others, as `getUserMedia` has them.
 */
export async function openMicrophone(onLost: () => void): Promise<Take> {
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

/** Resolves once the recorder has handed over its last chunk. */
const stopped = (recorder: MediaRecorder): Promise<void> =>
  new Promise((resolve) => {
    if (recorder.state === 'inactive') return resolve();
    recorder.addEventListener('stop', () => resolve(), { once: true });
    return recorder.stop();
  });
