import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readBytes } from '#replay/read/readBytes.ts';
import { capturePieces } from '#replay/read/readCapture.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { headerLine, recordLine, CAPTURE_FORMAT, CAPTURE_VERSION } from '#shared/capture/captureFormat.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';

const SEED = 20_261_120;

/** The updates of a conversation. */
interface UpdateMix {
  /** The shares of messages, content items and texts, together at most 1; the others are contexts. */
  readonly shares: { readonly message: number; readonly item: number; readonly text: number };
  /** The lengths of their texts, characters. */
  readonly lengths: { readonly message: number; readonly item: number; readonly text: number };
}

/** Long texts in many messages. */
const LONG_TEXTS: UpdateMix = {
  shares: { message: 0.4, item: 0.3, text: 0.25 },
  lengths: { message: 90, item: 80, text: 140 },
};

/** Few messages, whose texts arrive in many parts. */
export const STREAMED_TEXTS: UpdateMix = {
  shares: { message: 0.15, item: 0.05, text: 0.77 },
  lengths: { message: 30, item: 30, text: 40 },
};

const WORDS = (
  'the assistant sends one answer for each message and the person reads the text before the next message ' +
  'about the weather the trains or the letters that arrive every day in a small town near the sea coast'
).split(' ');

type Random = () => number;

/** Returns random words with a total length of about `length` characters. */
function words(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${WORDS[Math.floor(random() * WORDS.length)]} `;
  return text.trimEnd();
}

interface MessageOptions {
  readonly index: number;
  /** The length of the text, characters. */
  readonly length: number;
}

const message = (random: Random, { index, length }: MessageOptions) => ({
  id: `message-${index}`,
  modifier: random() < 0.5 ? 'ai' : 'client',
  content: [{ category: 'text', text: words(random, length), html: null, blob: null }],
  context: 'Assistant',
  avatar: '',
  seen: true,
});

const contentItem = (random: Random, length: number) => ({
  category: random() < 0.9 ? 'text' : 'html',
  text: words(random, length),
  html: null,
  blob: null,
});

interface UpdateOptions {
  readonly index: number;
  readonly mix: UpdateMix;
}

/** Returns one update of a conversation. */
function update(random: Random, { index, mix: { shares, lengths } }: UpdateOptions): object {
  const kind = random();
  if (kind < shares.message) return message(random, { index, length: lengths.message });
  if (kind < shares.message + shares.item) return contentItem(random, lengths.item);
  if (kind < shares.message + shares.item + shares.text) return { text: words(random, lengths.text) };
  return { context: words(random, 20) };
}

interface ConversationOptions {
  readonly seed?: number;
  readonly mix?: UpdateMix;
}

/**
 * Returns the frames of one conversation, with long texts about 170 bytes each. The first frame is a snapshot. The frames are the
 * same in every run with the same options, and a shorter list is the beginning of a longer one.
 */
export function conversationFrames(
  count: number,
  { seed = SEED, mix = LONG_TEXTS }: ConversationOptions = {},
): string[] {
  const random = seededRandom(seed);
  const first = message(random, { index: 0, length: mix.lengths.message });
  const snapshot = { person: 'Ada Lovelace', messages: [first] };
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(index === 0 ? snapshot : update(random, { index, mix })),
  );
}

const HEADER = headerLine({
  format: CAPTURE_FORMAT,
  version: CAPTURE_VERSION,
  startedAt: '2026-11-20T09:00:00.000Z',
  app: '0.1.0',
});

/** Number of lines in one write. */
const LINES_PER_WRITE = 5000;

/** Writes a capture of frames that were received every `everyMs` milliseconds, by default one each tick. */
export async function writeCaptureFile(
  path: string,
  frames: readonly string[],
  everyMs = QUEUE_TICK_MS,
): Promise<void> {
  const file = createWriteStream(path);
  file.write(HEADER);
  for (let from = 0; from < frames.length; from += LINES_PER_WRITE) {
    const lines = frames
      .slice(from, from + LINES_PER_WRITE)
      .map((data, i) => recordLine({ t: (from + i) * everyMs, type: 'recv', data }));
    if (!file.write(lines.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

/** Parses each line and its frame, and keeps nothing: the baseline. */
export async function parseFile(path: string): Promise<unknown> {
  let last: unknown;
  for await (const { lines } of capturePieces(path, readBytes(path))) {
    for (const line of lines) {
      const record: unknown = JSON.parse(line);
      if (hasData(record)) last = JSON.parse(record.data);
    }
  }
  return last;
}

const hasData = (record: unknown): record is { readonly data: string } =>
  typeof record === 'object' && record !== null && 'data' in record && typeof record.data === 'string';
