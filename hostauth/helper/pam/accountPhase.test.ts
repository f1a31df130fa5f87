import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accountUse, isPlainlyUsable } from './accountPhase.ts';

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

const TODAY = 20_000;
const shadowOf = (fields: string) => `root:*:19000:0:99999:7:::\nada:${fields}\nbob:*:19000:0:99999:7:::\n`;

describe('isPlainlyUsable', () => {
  test.each([
    ['made by useradd, whose passwords last 99999 days', '$y$x:20000:0:99999:7:::'],
    ['whose password ends today', '$y$x:19910:0:90:7:::'],
    ['with days of grace that it does not need', '$y$x:19999:0:90:7:14::'],
  ])('returns true for an account %s', (_, fields) => {
    expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(true);
  });

  test.each([
    ['whose password ended yesterday', '$y$x:19909:0:90:7:::'],
    ['whose password must be changed', '$y$x:0:0:99999:7:::'],
    ['that has expired', '$y$x:20000:0:99999:7::1:'],
    ['that will expire', '$y$x:20000:0:99999:7::30000:'],
    ['whose password was changed tomorrow', '$y$x:20001:0:99999:7:::'],
    ['without a day of change', '$y$x::0:99999:7:::'],
    ['whose password lasts for ever', '$y$x:20000::::::'],
    ['with a field of no use', '$y$x:20000:0:-1:7:::'],
    ['cut short', '$y$x:20000'],
    ['of two entries', '$y$x:20000:0:99999:7:::\nada:$y$x:20000:0:99999:7:::'],
  ])('returns false for an account %s', (_, fields) => {
    expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(false);
  });

  test('returns false for an account of another source', () => {
    expect(isPlainlyUsable(shadowOf('$y$x:20000:0:99999:7:::'), 'ad', TODAY)).toBe(false);
    expect(isPlainlyUsable('', 'ada', TODAY)).toBe(false);
  });
});
