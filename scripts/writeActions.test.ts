import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

function run(...args: readonly string[]) {
  const script = join(import.meta.dirname, 'writeActions.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, stderr };
}

test('refuses a page that is out of date, and writes it', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-actions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ['package.json', 'tsconfig.json', 'src/shared', 'src/renderer/store'])
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'docs'));
  const path = join(root, 'docs/actions.md');
  writeFileSync(path, '# Actions\n');
  const stderr = 'docs/actions.md is out of date: run `npm run actions`\n';
  expect(run('--check', root)).toEqual({ status: 1, stderr });
  expect(run(root)).toEqual({ status: 0, stderr: '' });
  expect(readFileSync(path, 'utf8')).toBe(readFileSync(join(ROOT, 'docs/actions.md'), 'utf8'));
});

test('explains an unknown option', () => {
  expect(run('--other')).toMatchObject({ status: 2, stderr: expect.stringContaining('--other') });
});
