/** A recording from the microphone. */
export interface MicrophoneRecording {
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
export async function openMicrophone(onLost: () => void): Promise<MicrophoneRecording> {
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
