import { seededRandom } from '#tests/builders/seededRandom.ts';

const SEED = 20_261_120;

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

const message = (random: Random, index: number) => ({
  id: `message-${index}`,
  modifier: random() < 0.5 ? 'ai' : 'client',
  content: [{ category: 'text', text: words(random, 90), html: null, blob: null }],
  context: 'Assistant',
  avatar: '',
  seen: true,
});

const contentItem = (random: Random) => ({
  category: random() < 0.9 ? 'text' : 'html',
  text: words(random, 80),
  html: null,
  blob: null,
});

/** Returns one update of a long conversation: 40 % messages, 30 % content items, 25 % texts, 5 % contexts. */
function update(random: Random, index: number): object {
  const kind = random();
  if (kind < 0.4) return message(random, index);
  if (kind < 0.7) return contentItem(random);
  if (kind < 0.95) return { text: words(random, 140) };
  return { context: words(random, 20) };
}

/**
 * Returns the frames of one long conversation, about 170 bytes each. The first frame is a snapshot. The frames are the
 * same in every run, and a shorter list is the beginning of a longer one.
 */
export function conversationFrames(count: number): string[] {
  const random = seededRandom(SEED);
  const snapshot = { person: 'Ada Lovelace', messages: [message(random, 0)] };
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(index === 0 ? snapshot : update(random, index)),
  );
}
