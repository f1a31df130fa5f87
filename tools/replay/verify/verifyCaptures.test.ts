import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { message } from '#tests/builders/updateOf.ts';
import { bundleSource } from '../compare/bundleSource.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import type { CaptureResult } from './captureResult.ts';
import { inBatches } from './inBatches.ts';
import { CHECKOUT } from './testing/checkout.ts';
import { verifyCaptures } from './verifyCaptures.ts';

/** About 0.7 MB: three are a batch. */
const RECORDS = Array.from({ length: 60 }, (_, t) => ({
  t,
  type: 'recv',
  data: JSON.stringify(message(`m${t}`, { avatar: 'A'.repeat(12_000) })),
}));

async function largeCaptures(count: number) {
  const at = await temporaryFolder();
  const names = Array.from({ length: count }, (_, i) => at(`${i}.parley.jsonl`));
  return { at, captures: await Promise.all(names.map((name) => writeCapture(name, RECORDS))) };
}

const timeless = (results: readonly CaptureResult[]) => results.map((one) => ({ ...one, ms: 0 }));

const workerFile = (out: string) =>
  bundleSource({ root: CHECKOUT, entry: join(import.meta.dirname, 'verifyTask.ts'), out });

test('puts small captures in one batch and distributes large ones', async () => {
  const { at, captures } = await largeCaptures(7);
  const small = await writeCapture(at('small.parley.jsonl'), []);
  const batches = await inBatches([...captures, small, at('gone')]);
  expect(batches.map((batch) => batch.length)).toEqual([3, 3, 3]);
  expect(batches.flat()).toEqual([...captures, small, at('gone')]);
});

test('gives the same results with two worker threads as with one, in order and completely', async () => {
  const { at, captures } = await largeCaptures(8);
  const threads = { workers: 2, workerFile: await workerFile(at('out')) };
  const written = await verifyCaptures(captures, { ...threads, update: true });
  expect(written.map(({ outcome }) => outcome)).toEqual(captures.map(() => 'written'));
  await writeFile(at('1.parley.jsonl'), 'broken\n');
  const golden = await readFile(at('6.golden.json'), 'utf8');
  await writeFile(at('6.golden.json'), golden.replace('"m59"', '"other"'));

  const reported: CaptureResult[] = [];
  const apart = await verifyCaptures(captures, { ...threads, onResults: (some) => reported.push(...some) });
  const here = await verifyCaptures(captures, { workers: 1 });
  expect(timeless(apart)).toEqual(timeless(here));
  expect(apart.map(({ outcome }) => outcome)).toEqual([
    'same',
    'unusable',
    'same',
    'same',
    'same',
    'same',
    'differs',
    'same',
  ]);
  expect(reported).toHaveLength(8);
}, 30_000);

test('names the capture that kills a worker, and verifies the others', async () => {
  const { at, captures } = await largeCaptures(6);
  const worker = at('worker.mjs');
  await writeFile(
    worker,
    `export const verifyTask = ({ captures }) => {
      if (captures.some((capture) => capture.endsWith('1.parley.jsonl'))) throw new RangeError('too much');
      return captures.map((capture) => ({ capture, ms: 0, warnings: [], outcome: 'same', updates: 0 }));
    };`,
  );
  const results = await verifyCaptures(captures, { workers: 2, workerFile: worker });
  expect(results.map(({ capture }) => capture)).toEqual(captures);
  expect(results.map((one) => (one.outcome === 'unusable' ? one.problem : one.outcome))).toEqual([
    'same',
    `${captures[1]}: the worker stopped: too much`,
    'same',
    'same',
    'same',
    'same',
  ]);
});
