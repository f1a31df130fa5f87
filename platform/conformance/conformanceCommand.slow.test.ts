import { expect, test } from 'vitest';
import { z } from 'zod';
import { runCommand, startBuiltIn } from './testing/runCommand.ts';

const reportSchema = z.object({ checks: z.array(z.object({ id: z.string(), result: z.string() })) });

/** What only the answers of a model have, not those of the demonstration. */
const OF_A_MODEL = ['format', 'growth', 'dividers'];

test('the built-in platform passes, and only what needs a model and what no client can cause is not tested', async () => {
  const says = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);
  const argv = [await startBuiltIn(), ...says, '--quiet', '5', '--timeout', '30', '--json'];
  const { status, out } = await runCommand(argv);
  const { checks } = reportSchema.parse(JSON.parse(out));
  expect(checks.filter(({ result }) => result === 'failed')).toEqual([]);
  const untested = checks.flatMap(({ id, result }) => (result === 'notTested' ? [id] : []));
  expect(untested.filter((id) => id !== 'words')).toEqual([...OF_A_MODEL, 'revoked', 'restart']);
  expect(status).toBe(0);
});
