import { expect, test } from 'vitest';
import { fakeClock } from '../../testing/fakeClock.ts';
import { LookUpError, createLookUpLimit } from './lookUp.ts';

test('runs 16 of 300 lookups at once; the others fail after at most 5 s', async () => {
  const clock = fakeClock();
  const limit = createLookUpLimit(clock);
  const running: (() => void)[] = [];
  const lookUp = () => new Promise<string>((resolve) => running.push(() => resolve('entry')));
  const all = Promise.allSettled(Array.from({ length: 300 }, () => limit(lookUp)));
  await Promise.resolve();
  expect(running).toHaveLength(16);
  clock.advance(5000);
  for (const end of running) end();
  const results = await all;
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(reasons.every((reason) => reason instanceof LookUpError)).toBe(true);
  expect(await limit(async () => 'next')).toBe('next');
});
