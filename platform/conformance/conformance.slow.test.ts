import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { EXAMPLE, runCommand, startBuiltIn, startExample } from './testing/runCommand.ts';

const reportSchema = z.object({ checks: z.array(z.object({ id: z.string(), result: z.string() })) });

const SAYS = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);

test.each([
  ['example', startExample, [], ['notices', 'dividers', 'kind-name', 'kind-content', 'kind-notification']],
  ['built-in platform', startBuiltIn, [...SAYS, '--quiet', '5'], ['format', 'growth', 'dividers']],
])('the %s passes each check that does not need a model', async (_name, start, argv, untested) => {
  const { status, out } = await runCommand([await start(), '--timeout', '30', '--json', ...argv]);
  const { checks } = reportSchema.parse(JSON.parse(out));
  const idsOf = (wanted: string) => checks.flatMap(({ id, result }) => (result === wanted ? [id] : []));
  expect([status, idsOf('failed')]).toEqual([0, []]);
  const ids = idsOf('notTested').filter((id) => id !== 'words');
  expect(ids).toEqual([...untested, 'revoked', 'restart']);
});

test('the example has at most 60 lines', () => {
  expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
