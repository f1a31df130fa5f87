import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findFaults } from './testing/faults.ts';
import { EXAMPLE, startExample, testFault } from './testing/startFaultyPlatform.ts';
import { runCommand, startBuiltIn } from './testing/startFaultyPlatform.ts';

test('the checks that wait for something find their faults', async () => {
  const found = await findFaults(await startExample(), { isSlow: true, timeoutMs: 3000 });
  expect(found.filter(({ outcome }) => outcome?.result !== 'failed')).toEqual([]);
});

test('the example has at most 60 lines, and passes every check, also behind a server that changes nothing', async () => {
  expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const rows = await testFault(await startExample(), { fault: {}, only: null, timeoutMs: 10_000 });
  expect(rows.filter(({ outcome }) => outcome.result === 'failed')).toEqual([]);
  const untested = rows.filter(({ outcome }) => outcome.result === 'notTested').map(({ id }) => id);
  const kinds = ['kind-name', 'kind-content', 'kind-notification'];
  expect(untested).toEqual(['notices', 'dividers', ...kinds, 'words', 'revoked', 'restart']);
});

const reportSchema = z.object({ checks: z.array(z.object({ id: z.string(), result: z.string() })) });

test('the built-in platform passes, and only what needs a model and what no client can cause is not tested', async () => {
  const says = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);
  const argv = [await startBuiltIn(), ...says, '--quiet', '5', '--timeout', '30', '--json'];
  const { status, out } = await runCommand(argv);
  const { checks } = reportSchema.parse(JSON.parse(out));
  expect(checks.filter(({ result }) => result === 'failed')).toEqual([]);
  const untested = checks.flatMap(({ id, result }) => (result === 'notTested' ? [id] : []));
  const ofAModel = ['format', 'growth', 'dividers'];
  expect(untested.filter((id) => id !== 'words')).toEqual([...ofAModel, 'revoked', 'restart']);
  expect(status).toBe(0);
});
