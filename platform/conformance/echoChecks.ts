import { FILE_BYTES, TEXT_LENGTH } from '#shared/limits.ts';
import type { Outgoing } from '#shared/protocol/outgoing.ts';
import type { Message } from '#shared/protocol/update.ts';
import { describeClose } from './observedSocket.ts';
import {
  type Check,
  OK,
  type Outcome,
  type Subject,
  echoes,
  failed,
  findEcho,
  sendMessage,
  sendText,
} from './subject.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 'Parley').toString('base64');
/** The smallest PNG: one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A text with characters that are often changed: quotes, a line break, several scripts, an emoji of two units. */
const UNICODE = `"Füße" & <b>עברית</b>\n中文 👋🏽 \\ e\u0301`;

/** Creates a check that a message is returned as the person's (contract §3). */
const echoCheck = (id: string, [row, what]: readonly [string, string], outgoing: () => Outgoing): Check => ({
  id,
  row,
  checks: `${what} is returned as a message of \`client\``,
  run: (subject) => expectEcho(subject, outgoing()),
});

/** Returns a text that no earlier message has. */
export const freshText = (words: string) => `${words} ${crypto.randomUUID().slice(0, 8)}`;

/** The checks that the platform returns what a person sends (spec §2.3, §8, contract §3). */
export const echoChecks: readonly Check[] = [
  echoCheck('echo-text', ['contract §3 sending', 'a text'], () => ({
    category: 'text',
    text: freshText(UNICODE),
    blob: null,
  })),
  echoCheck('echo-image', ['spec §2.3', 'an image'], () => ({
    category: 'image',
    text: 'pixel 1.png',
    blob: PIXEL,
  })),
  echoCheck('echo-file', ['spec §2.3', 'a file'], () => ({
    category: 'file',
    text: 'nöte.txt',
    blob: base64(30),
  })),
  echoCheck('echo-audio', ['spec §2.3', 'a recording, whose text is null,'], () => ({
    category: 'audio',
    text: null,
    blob: base64(300),
  })),
  echoCheck('long-text', ['spec §8 text length', 'a text of 249 characters'], () => ({
    category: 'text',
    text: freshText('a long text').padEnd(TEXT_LENGTH - 1, '.'),
    blob: null,
  })),
  {
    id: 'order',
    row: 'spec §2.6 messages',
    checks: 'texts that are sent one after the other are returned in their order',
    run: sendInOrder,
  },
  echoCheck('large-file', ['spec §8 file size', 'a file of 999,999 bytes'], () => ({
    category: 'file',
    text: 'large.bin',
    blob: base64(FILE_BYTES - 1),
  })),
];

async function expectEcho({ first }: Subject, outgoing: Outgoing): Promise<Outcome> {
  const before = echoes(first).length;
  sendMessage(first, outgoing);
  await first.until(() => echoes(first).length > before);
  const echo = echoes(first)[before];
  const close = first.closed();
  if (echo !== undefined) return compareEcho(echo, outgoing);
  return failed(close === null ? 'no message of `client`' : describeClose(close), 'the message, in time');
}

function compareEcho({ content = [] }: Message, outgoing: Outgoing): Outcome {
  const [item] = content;
  if (item === undefined || content.length > 1)
    return failed(`${content.length} content items`, 'one content item');
  if (item.category !== outgoing.category)
    return failed('another `category`', `\`category\` ${outgoing.category}`);
  if ((item.text ?? '') !== (outgoing.text ?? ''))
    return failed('another `text`', 'the `text` that was sent');
  if ((item.blob ?? '') !== (outgoing.blob ?? ''))
    return failed('another `blob`', 'the `blob` that was sent');
  return OK;
}

async function sendInOrder({ first }: Subject): Promise<Outcome> {
  const texts = ['one', 'two', 'three'].map(freshText);
  for (const text of texts) sendText(first, text);
  await first.until(() => texts.every((text) => findEcho(first, text) !== -1));
  const places = texts.map((text) => findEcho(first, text));
  if (places.includes(-1)) return failed('not all of three texts', 'three messages of `client`');
  const isOrdered = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0));
  return isOrdered ? OK : failed('another order', 'the order in which they were sent');
}
