import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS } from './testing/faults.ts';
import type { StartedProgram } from './testing/startFaultyPlatform.ts';
import { startRightPlatform, testFault } from './testing/startFaultyPlatform.ts';

let right: StartedProgram;
beforeAll(async () => (right = await startRightPlatform()));
afterAll(() => right.stop());

test.concurrent.each(FAULTS)(
  'the check $id fails on a platform that $words',
  async ({ id, also = [], fault }) => {
    const rows = await testFault(right, { fault: fault(), only: [...also, id], timeoutMs: 3000 });
    expect(rows.find((row) => row.id === id)?.outcome).toMatchObject({ result: 'failed' });
  },
);

test('the example passes every check, also behind a server that changes nothing', async () => {
  const rows = await testFault(right, { fault: {}, only: null, timeoutMs: 10_000 });
  expect(rows.filter(({ outcome }) => outcome.result === 'failed')).toEqual([]);
  expect(rows.filter(({ outcome }) => outcome.result === 'notTested').map(({ id }) => id)).toEqual([
    'notices',
    'dividers',
    'kind-name',
    'kind-content',
    'kind-notification',
    'words',
    'revoked',
    'restart',
  ]);
});
