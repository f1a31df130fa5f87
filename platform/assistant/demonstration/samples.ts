import type { ContentItem } from '#shared/protocol/update.ts';
import { CHIME } from './chime.ts';
import { eveningPicture } from './pictures.ts';

/** A content item of each category (spec §2.4) for the assistant's answers. */

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

/** The commands of the assistant and their effects, as its greeting and `help` list them. */
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
  ['help', 'this list'],
];

/** The list of the words that the assistant knows. */
export const WORDS_LIST: ContentItem = {
  category: 'html',
  text: 'The words to try',
  html: `<ul>${WORDS.map(([word, effect]) => `<li><code>${word}</code>: ${effect}</li>`).join('')}</ul>`,
  blob: null,
};
