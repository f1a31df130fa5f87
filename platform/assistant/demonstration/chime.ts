/** Samples per second. */
const RATE = 8000;
/** The notes: pitch in hertz and start in seconds. */
const NOTES = [
  [659.25, 0],
  [523.25, 0.35],
] as const;
const SECONDS = 1.1;

/** Returns the level of a bell at a time after its stroke, in seconds: a decaying sine. */
const bell = (pitch: number, time: number) =>
  time < 0 ? 0 : 0.45 * Math.exp(-5 * time) * Math.sin(2 * Math.PI * pitch * time);

function samples(): Buffer {
  const count = Math.round(RATE * SECONDS);
  const data = Buffer.alloc(count * 2);
  for (let index = 0; index < count; index++) {
    const time = index / RATE;
    const level = NOTES.reduce((sum, [pitch, struck]) => sum + bell(pitch, time - struck), 0);
    data.writeInt16LE(Math.round(level * 32_767), index * 2);
  }
  return data;
}

/** Returns the header of a WAV file with one channel of 16 bits. */
function header(dataBytes: number): Buffer {
  const text = Buffer.alloc(44);
  text.write('RIFF', 0);
  text.writeUInt32LE(36 + dataBytes, 4);
  text.write('WAVEfmt ', 8);
  text.writeUInt32LE(16, 16);
  text.writeUInt16LE(1, 20);
  text.writeUInt16LE(1, 22);
  text.writeUInt32LE(RATE, 24);
  text.writeUInt32LE(RATE * 2, 28);
  text.writeUInt16LE(2, 32);
  text.writeUInt16LE(16, 34);
  text.write('data', 36);
  text.writeUInt32LE(dataBytes, 40);
  return text;
}

const DATA = samples();

/** A door bell, as a WAV file in base64. */
export const CHIME = Buffer.concat([header(DATA.length), DATA]).toString('base64');
