import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHECKS } from './checks.ts';
import { FAULTS } from './testing/faults.ts';
import type { Fault } from './testing/startFaultyPlatform.ts';
import type { StartedProgram } from './testing/startFaultyPlatform.ts';
import { startRightPlatform, testFault } from './testing/startFaultyPlatform.ts';

let right: StartedProgram;
beforeAll(async () => (right = await startRightPlatform()));
afterAll(() => right.stop());

const cannotFail = (id: string) => id.startsWith('kind-') || id === 'revoked' || id === 'restart';

test('every check that can fail has a fault that it must find', () => {
  const proven = new Set(FAULTS.map(({ id }) => id));
  expect(CHECKS.filter(({ id }) => !proven.has(id) && !cannotFail(id)).map(({ id }) => id)).toEqual([]);
});

test('says what was seen and what is expected', async () => {
  const fault: Fault = { closeReason: () => '' };
  const [row] = await testFault(right, { fault, only: ['unauthorized'], timeoutMs: 10_000 });
  expect(row?.outcome).toEqual({
    result: 'failed',
    seen: 'a close with code 4401 and an empty reason',
    expected: 'an accepted upgrade, then a close with the reason `unauthorized`',
  });
});

test('hides the identifier that a platform sends in the reason of a close', async () => {
  const fault: Fault = {
    toClient: (frame, { number, account, close }) => {
      if (number === 0) setImmediate(() => close(4000, account.slice(1)));
      return [frame];
    },
  };
  const [row] = await testFault(right, { fault, only: ['closes'], timeoutMs: 10_000 });
  expect(row?.outcome).toMatchObject({ seen: 'a close with code 4000 and the reason “…”' });
});
