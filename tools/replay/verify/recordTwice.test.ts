import { expect, test } from 'vitest';
import { type ParleyAdapter, parleyAdapter } from '#shared/replay/adapter.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { recordGolden } from '../golden/traceCapture.ts';
import { parleyReports } from '../parley/parleyReports.ts';
import { temporaryFolder, writeCapture } from '../testing/files.ts';
import { recordTwice } from './verifyCapture.ts';

const capture = async () =>
  writeCapture((await temporaryFolder())('x.parley.jsonl'), [
    recv(0, { person: 'Ada', messages: [message('a')] }),
    { t: 10, type: 'action', action: { type: 'connection/confirmed' } },
  ]);

type Reduce = ParleyAdapter['reduce'];

const parley = { ...parleyAdapter(), reports: parleyReports() };

const readsClock: Reduce = (state, action) => {
  const next = parley.reduce(state, action);
  return { ...next, preferences: Object({ ...next.preferences, at: Date.now() }) };
};

/** Throws in one of the two replays. */
const throwsByChance: Reduce = (state, action) => {
  if (action.type === 'connection/confirmed' && Math.random() < 0.5) throw new RangeError('by chance');
  return parley.reduce(state, action);
};

test('records the same golden as one replay of deterministic reducers', async () => {
  const path = await capture();
  expect(await recordTwice(path, { adapter: parley })).toEqual(await recordGolden(path, { adapter: parley }));
});

test.each<readonly [string, Reduce, RegExp]>([
  ['reads the clock', readsClock, /differ in preferences\.at at 0 ms; it may read no clock/],
  ['throws by chance', throwsByChance, /differ in an error that only one of them throws;/],
])('refuses a reducer of Parley that %s', async (_, reduce, problem) => {
  const path = await capture();
  const recording = recordTwice(path, { adapter: { ...parley, reduce } });
  await expect(recording).rejects.toThrow(problem);
  await expect(recording).rejects.toThrow(`${path}: the reducer is not deterministic: two replays `);
});
