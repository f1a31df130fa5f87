import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { ELECTRON_CHECKS, PAGE_CHECKS, ROOT } from './checks.ts';

/** Tests `npm run electron:check` in the web host. */
async function run(env: Readonly<Record<string, string>>) {
  const check = join(ROOT, 'out/electronCheck/electronCheck.js');
  const { code, stdout } = await runProgram(check, [], { PARLEY_HOST: 'web', ...env }).ended;
  const [, , , ...rows] = stdout.split('\n\nElectron')[0]?.split('\n') ?? [];
  return { status: code, rows: rows.map((row) => row.split(/ {2,}/).slice(0, 2)) };
}

test('checks the page in the web host, and runs no check that only Electron’s runtime can prove', async () => {
  const { status, rows } = await run({});
  const ok = Object.keys(PAGE_CHECKS).map((name) => [name, 'ok']);
  expect(rows).toEqual([...ok, ...Object.keys(ELECTRON_CHECKS).map((name) => [name, 'not run'])]);
  expect(status).toBe(0);
});

test('exits with 1 when the messenger cannot be opened', async () => {
  const { status, rows } = await run({ PARLEY_CHROMIUM: '/no/browser' });
  expect(rows[0]).toEqual(['messenger opened', 'failed']);
  expect(rows.slice(1).every(([, result]) => result === 'not run')).toBe(true);
  expect(status).toBe(1);
});
