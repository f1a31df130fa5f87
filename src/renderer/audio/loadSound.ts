/** Farther than any sound is long, in seconds: seeking there makes the browser find its end. */
const FAR = 1e9;

/**
 * Makes an element ready to play a sound from its beginning, its length known. What a recorder made does not say how
 * long it is, and has to be sought through once.
 * @throws {Error} when it is no sound that this browser plays.
 */
export async function loadSound(audio: HTMLAudioElement, address: string): Promise<void> {
  await happened(audio, 'loadedmetadata', () => {
    audio.src = address;
  });
  if (Number.isFinite(audio.duration)) return;
  await happened(audio, 'seeked', () => {
    audio.currentTime = FAR;
  });
  await happened(audio, 'seeked', () => {
    audio.currentTime = 0;
  });
}

const happened = (audio: HTMLAudioElement, event: 'loadedmetadata' | 'seeked', cause: () => void) =>
  new Promise<void>((resolve, reject) => {
    const heard = () => {
      audio.removeEventListener(event, heard);
      audio.removeEventListener('error', failed);
      resolve();
    };
    const failed = () => {
      audio.removeEventListener(event, heard);
      audio.removeEventListener('error', failed);
      reject(new Error(audio.error?.message ?? 'the sound cannot be played'));
    };
    audio.addEventListener(event, heard);
    audio.addEventListener('error', failed);
    cause();
  });
