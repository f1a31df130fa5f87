import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ROOT } from './check.ts';

/** Tests `npm run electron:check` in the web host. */
async function run(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(ROOT, 'out/electronCheck/electronCheck.js')], {
    timeout: 120_000,
    env: { ...process.env, PARLEY_HOST: 'web', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const [, , , ...rows] = stdout.split('\n\nElectron')[0]?.split('\n') ?? [];
  return { status: child.exitCode, rows: rows.map((row) => row.split(/ {2,}/).slice(0, 2)) };
}

test('checks the page in the web host, and runs no check that only Electron’s runtime can prove', async () => {
  const { status, rows } = await run({});
  expect(rows).toEqual([
    ['window opened', 'ok'],
    ['preload present', 'ok'],
    ['snapshot followed', 'ok'],
    ['content security policy', 'ok'],
    ['permissions denied', 'ok'],
    ['program', 'not run'],
    ['sandbox', 'not run'],
    ['protocol', 'not run'],
    ['tray', 'not run'],
    ['notification', 'not run'],
    ['safeStorage', 'not run'],
    ['fuses', 'not run'],
  ]);
  expect(status).toBe(0);
});

test('exits with 1 when the messenger cannot be opened', async () => {
  const { status, rows } = await run({ PARLEY_CHROMIUM: '/no/browser' });
  expect(rows[0]).toEqual(['messenger opened', 'failed']);
  expect(rows.slice(1).every(([, result]) => result === 'not run')).toBe(true);
  expect(status).toBe(1);
});
