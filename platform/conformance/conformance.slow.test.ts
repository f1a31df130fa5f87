import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXAMPLE, runCommand, startBuiltIn, startExample } from './testing/runCommand.ts';

const SAYS = ['stream', 'rename Ada King', 'notify'].flatMap((text) => ['--say', text]);

test.each([
  ['example', startExample, [], '41 ok, 0 failed, 8 not tested'],
  ['built-in platform', startBuiltIn, [...SAYS, '--quiet', '5'], '44 ok, 0 failed, 5 not tested'],
])('the %s passes each check that it can pass without a model', async (...[, start, argv, counts]) => {
  const { status, out } = await runCommand([await start(), '--timeout', '30', ...argv]);
  expect(out).toContain(`49 checks: ${counts}`);
  expect(status).toBe(0);
});

test('the example has at most 60 lines', () => {
  expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
