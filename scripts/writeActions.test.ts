import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeActions } from './writeActions.mjs';

const ROOT = join(import.meta.dirname, '..');
const load = (name: string): Promise<unknown> => import(join(ROOT, 'src', name));

test('the page lists the actions of the code; refuses a page that is out of date, and writes it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-actions-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'docs'));
  const path = join(root, 'docs/actions.md');
  copyFileSync(join(ROOT, 'docs/actions.md'), path);
  const page = readFileSync(path, 'utf8');
  expect(await writeActions(root, true, load)).toEqual([]);
  writeFileSync(path, '# Actions\n');
  expect(await writeActions(root, true, load)).toEqual([
    'docs/actions.md is out of date: run `npm run actions`',
  ]);
  expect(await writeActions(root, false, load)).toEqual([]);
  expect(readFileSync(path, 'utf8')).toBe(page);
});
