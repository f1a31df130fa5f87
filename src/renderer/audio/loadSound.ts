/** A time after the end of any sound, in seconds. Seeking there makes the browser determine the sound's length. */
const FAR = 1e9;

/**
 * Loads a sound into an element, so that its length is known and it plays from the beginning. The output of a recorder does not contain
 * its length, so the browser must seek to its end once.
 * @throws {Error} when the browser cannot play the sound.
 */
export async function loadSound(audio: HTMLAudioElement, address: string): Promise<void> {
  await waitForEvent(audio, 'loadedmetadata', () => {
    audio.src = address;
  });
  if (Number.isFinite(audio.duration)) return;
  await waitForEvent(audio, 'seeked', () => {
    audio.currentTime = FAR;
  });
  await waitForEvent(audio, 'seeked', () => {
    audio.currentTime = 0;
  });
}

const waitForEvent = (audio: HTMLAudioElement, event: 'loadedmetadata' | 'seeked', cause: () => void) =>
  new Promise<void>((resolve, reject) => {
    const onEvent = () => {
      audio.removeEventListener(event, onEvent);
      audio.removeEventListener('error', onError);
      resolve();
    };
    const onError = () => {
      audio.removeEventListener(event, onEvent);
      audio.removeEventListener('error', onError);
      reject(new Error(audio.error?.message ?? 'the sound cannot be played'));
    };
    audio.addEventListener(event, onEvent);
    audio.addEventListener('error', onError);
    cause();
  });
