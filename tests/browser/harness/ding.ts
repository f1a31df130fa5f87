import { CHIME } from '#platform/assistant/samples.ts';

const HEADER_BYTES = 44;
/** A tenth of a second: 8000 samples per second, two bytes each. */
const DATA_BYTES = 1600;

function beginning(wav: Buffer): Buffer {
  const sound = Buffer.from(wav.subarray(0, HEADER_BYTES + DATA_BYTES));
  sound.writeUInt32LE(HEADER_BYTES - 8 + DATA_BYTES, 4);
  sound.writeUInt32LE(DATA_BYTES, 40);
  return sound;
}

/** A short, audible sound: the beginning of the door bell, as a WAV file in base64. */
export const DING = beginning(Buffer.from(CHIME, 'base64')).toString('base64');
