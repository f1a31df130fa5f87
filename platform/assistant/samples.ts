/* A content item of each category (spec §2.4), for the answers of the demonstration. */
import type { ContentItem } from '#shared/protocol/update.ts';
import { eveningPicture } from './pictures.ts';

/** The item that `html` shows. */
export const HTML_SAMPLE: ContentItem = {
  category: 'html',
  text: 'A short page',
  html: [
    '<h2>What HTML can hold</h2>',
    '<p>Words can be <em>stressed</em>, <strong>strong</strong> or <code>code</code>.</p>',
    '<ul><li>a list</li><li>with two entries</li></ul>',
    '<table><thead><tr><th>Kind</th><th>Shown as</th></tr></thead>',
    '<tbody><tr><td>text</td><td>a bubble</td></tr><tr><td>file</td><td>a download</td></tr></tbody></table>',
    '<p>And a link: <a href="https://www.rfc-editor.org/rfc/rfc6455">the WebSocket protocol</a>.</p>',
  ].join('\n'),
  blob: null,
};

/** Returns the item that `image` shows. */
export const imageSample = (): ContentItem => ({
  category: 'image',
  text: 'evening.png',
  html: null,
  blob: eveningPicture(),
});

/** Samples per second. */
const RATE = 8000;
/** The notes: pitch in hertz and start in seconds. */
const BELL_NOTES = [
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
    const level = BELL_NOTES.reduce((sum, [pitch, struck]) => sum + bell(pitch, time - struck), 0);
    data.writeInt16LE(Math.round(level * 32_767), index * 2);
  }
  return data;
}

/** Returns the wavHeader of a WAV file with one channel of 16 bits. */
function wavHeader(dataBytes: number): Buffer {
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
export const CHIME = Buffer.concat([wavHeader(DATA.length), DATA]).toString('base64');

/** The item that `voice` shows. */
export const VOICE_SAMPLE: ContentItem = {
  category: 'audio',
  text: 'A door bell.',
  html: null,
  blob: CHIME,
};

const NOTES = [
  'Notes',
  '',
  'Any category that is not text, audio, html or image is a file:',
  'it is shown by its name and can be saved.',
  '',
].join('\n');

/** The item that `file` shows. */
export const FILE_SAMPLE: ContentItem = {
  category: 'file',
  text: 'notes.txt',
  html: null,
  blob: Buffer.from(NOTES).toString('base64'),
};

/** The commands of the assistant and their effects, as `help` lists them. */
const WORDS: readonly (readonly [string, string])[] = [
  ['html', 'a page with a heading, a list, a table and a link'],
  ['image', 'a picture'],
  ['file', 'a file to save'],
  ['voice', 'a sound; it can be heard where voice is on'],
  ['several', 'one message of four items'],
  ['stream', 'an answer that grows word by word'],
  ['many 200', 'that many short messages, 500 at most'],
  ['rename Ada King', 'gives you another name'],
  ['admin', 'a message in the middle'],
  ['notify', 'a desktop notification, in four seconds'],
  ['drop', 'cuts the connection; it comes back by itself'],
  ['close', 'closes the connection for a reason; the window offers to reconnect'],
  ['signout', 'ends your sign-in'],
  ['new topic', 'a line; a model would forget what is above it'],
  ['help', 'this list'],
];

/** The list of the words that the assistant knows. */
export const WORDS_LIST: ContentItem = {
  category: 'html',
  text: 'The words to try',
  html: `<ul>${WORDS.map(([word, effect]) => `<li><code>${word}</code>: ${effect}</li>`).join('')}</ul>`,
  blob: null,
};
