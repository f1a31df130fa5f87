import { beforeAll, expect, test } from 'vitest';
import { collectGarbage } from '#tests/builders/collectGarbage.ts';
import { estimateMemory } from './launchSession.ts';

const list = (count: number, item: (index: number) => string) =>
  JSON.stringify({ text: '' }).replace(
    '}',
    `,"x":[${Array.from({ length: count }, (_, i) => item(i)).join()}]}`,
  );

const short = (index: number) => (index + 100_000).toString(36);

/** Frames of each kind: the frame with that number, and how many are held at once. */
const KINDS: readonly (readonly [string, number, (index: number) => string])[] = [
  ['empty objects', 20_000, () => '{}'],
  ['names', 20_000, () => '{"name":"Ada Lovelace"}'],
  [
    'messages',
    5000,
    (i) =>
      JSON.stringify({ id: `m${i}`, modifier: 'ai', content: [{ category: 'text', text: `Hello ${i}` }] }),
  ],
  ['files', 20, (i) => JSON.stringify({ category: 'image', blob: `A${i}`.padEnd(500_000, 'B') })],
  ['text of other scripts', 20, (i) => JSON.stringify({ text: `☃${i}`.padEnd(50_000, 'é☃') })],
  ['lists of empty objects', 2, () => list(100_000, () => '{}')],
  ['lists of empty lists', 2, () => list(100_000, () => '[]')],
  ['lists of numbers', 2, () => list(200_000, (i) => (i % 2 === 0 ? '1.5' : 'null'))],
  ['lists of strings', 2, () => list(50_000, (i) => `"${short(i)}"`)],
  ['unique keys', 2, () => list(30_000, (i) => `{"${short(i)}":0}`)],
  ['nested lists', 2000, () => `{"text":"","x":${'['.repeat(150)}${']'.repeat(150)}}`],
];

const heap = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

// What earlier test files of the process left may need several collections.
beforeAll(() => {
  let [used, before] = [heap(), Number.POSITIVE_INFINITY];
  for (let round = 0; round < 10 && before - used > 10_000; round++) [before, used] = [used, heap()];
});

/** Returns the bytes of heap that the decoded frames of a kind occupy. */
function measured(count: number, frame: (index: number) => string): number {
  const held: unknown[] = Array.from({ length: count }, () => null);
  const before = heap();
  for (let i = 0; i < count; i++) {
    const text = Buffer.from(frame(i)).toString();
    held[i] = {
      update: { kind: 'text', frame: JSON.parse(text) as unknown },
      at: i + 0.5,
      bytes: text.length,
    };
  }
  const used = heap() - before;
  expect(held).toHaveLength(count);
  return used;
}

test.each(KINDS)('estimates the memory of %s from above, and by at most six times', (_, count, frame) => {
  let estimate = 0;
  for (let i = 0; i < count; i++) estimate += estimateMemory(Buffer.from(frame(i)), frame(i).length);
  const used = measured(count, frame);
  // The heap also contains a few other objects, and single characters and short strings are shared.
  expect(estimate).toBeGreaterThan(used * 0.8);
  expect(estimate).toBeLessThan(used * 6);
});

/** Returns the estimated memory of a text item's structure, without the text. */
const structure = (text: string) => {
  const frame = JSON.stringify({ text });
  return estimateMemory(Buffer.from(frame), frame.length) - frame.length;
};

test('ignores structural characters within strings', () => {
  expect(structure('{[,:,:]}\\"{[')).toBe(structure('plain'));
  expect(structure('\\')).toBe(structure('plain'));
});

test('counts two bytes per character for text that is not ASCII', () => {
  const text = '"Zoë"';
  expect(estimateMemory(Buffer.from(text), text.length)).toBe(200 + 2 * text.length);
});
