import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EXAMPLE, runCommand, startBuiltIn, startExample } from './testing/runCommand.ts';

const reportSchema = z.object({ checks: z.array(z.object({ id: z.string(), result: z.string() })) });

/** Makes all checks; returns those that failed, and those that were not tested. */
async function resultsOf(apiUrl: string, ...argv: readonly string[]) {
  const { status, out } = await runCommand([apiUrl, '--timeout', '30', '--json', ...argv]);
  const { checks } = reportSchema.parse(JSON.parse(out));
  const idsOf = (wanted: string) => checks.flatMap(({ id, result }) => (result === wanted ? [id] : []));
  return { status, failed: idsOf('failed'), untested: idsOf('notTested') };
}

test('the example has at most 60 lines, and passes every check', async () => {
  expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const { status, failed, untested } = await resultsOf(await startExample());
  const kinds = ['kind-name', 'kind-content', 'kind-notification'];
  expect(untested).toEqual(['notices', 'dividers', ...kinds, 'words', 'revoked', 'restart']);
  expect({ status, failed }).toEqual({ status: 0, failed: [] });
});

test('the built-in platform passes, and only what needs a model and what no client can cause is not tested', async () => {
  const says = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);
  const { status, failed, untested } = await resultsOf(await startBuiltIn(), ...says, '--quiet', '5');
  const ofAModel = ['format', 'growth', 'dividers'];
  expect(untested.filter((id) => id !== 'words')).toEqual([...ofAModel, 'revoked', 'restart']);
  expect({ status, failed }).toEqual({ status: 0, failed: [] });
});
