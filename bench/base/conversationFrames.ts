import { seededRandom } from '#tests/builders/seededRandom.ts';

const SEED = 20_261_120;

const WORDS = (
  'the assistant answers slowly while a person writes about weather trains letters and small things that ' +
  'happen every day in some town near the sea where nobody minds waiting for an hour or two'
).split(' ');

type Random = () => number;

/** Words that come to about `length` characters. */
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

/** One update of a long conversation: 40 % messages, 30 % content items, 25 % texts, 5 % contexts. */
function update(random: Random, index: number): object {
  const kind = random();
  if (kind < 0.4) return message(random, index);
  if (kind < 0.7) return contentItem(random);
  if (kind < 0.95) return { text: words(random, 140) };
  return { context: words(random, 20) };
}

/**
 * The frames of one long conversation, about 170 bytes each, the first a snapshot. The same for every run, and the
 * shorter list is the longer one's beginning.
 */
export function frames(count: number): string[] {
  const random = seededRandom(SEED);
  const snapshot = { person: 'Ada Lovelace', messages: [message(random, 0)] };
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify(index === 0 ? snapshot : update(random, index)),
  );
}
