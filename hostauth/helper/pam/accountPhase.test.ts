import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountUse } from './accountPhase.ts';

/** Writes a program that replaces unix_chkpwd. */
function standIn(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'hostauth-chkpwd-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'unix_chkpwd');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ['exit 0', { kind: 'usable' }],
  ['exit 12', { kind: 'must-change' }],
  ['exit 13', { kind: 'expired' }],
  ['exit 9', { kind: 'unknown', detail: expect.stringContaining(': 9') }],
])('understands a unix_chkpwd that runs "%s"', async (script, use) => {
  expect(await accountUse('ada', standIn(script))).toEqual(use);
});

test('kills a unix_chkpwd that does not end, and reports unknown', async () => {
  expect(await accountUse('ada', standIn('exec sleep 60'), 50)).toEqual({
    kind: 'unknown',
    detail: expect.stringContaining('SIGKILL'),
  });
});
