import { chmodSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constantFrom, property, string } from 'fast-check';
import { describe, expect, onTestFinished, test, afterAll, beforeAll } from 'vitest';
import { checkProperty } from '#tests/builders/checkProperty.ts';
import { accountUse, isPlainlyUsable } from './accountPhase.ts';
import { checkPam, keepModulesLoaded, loadPamBinding } from './pamBinding.ts';
import { mayReachPam } from './pamMessages.ts';

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
  ['exit 27', { kind: 'expired' }],
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

test.each([
  ['made by useradd, whose passwords last 99999 days', '$y$x:20000:0:99999:7:::', true],
  ['whose password ends today', '$y$x:19910:0:90:7:::', true],
  ['whose password ended yesterday', '$y$x:19909:0:90:7:::', false],
  ['whose password must be changed', '$y$x:0:0:99999:7:::', false],
  ['that has expired', '$y$x:20000:0:99999:7::1:', false],
  ['that will expire', '$y$x:20000:0:99999:7::30000:', false],
  ['without a day of change', '$y$x::0:99999:7:::', false],
  ['whose password lasts for ever', '$y$x:20000::::::', false],
  ['of two entries', '$y$x:20000:0:99999:7:::\nada:$y$x:20000:0:99999:7:::', false],
])('an account %s is plainly usable: %s', (_, fields, expected) => {
  expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(expected);
  // Of another source.
  expect(isPlainlyUsable(shadowOf(fields), 'ad', TODAY)).toBe(false);
});

const username = 'ada';
const password = 'right';

describe('mayReachPam', () => {
  test.each([
    [{}, true],
    [{ username: 'a'.repeat(32) }, true],
    // 511 bytes, and an emoji, whose surrogates are a pair.
    [{ password: `x${'€'.repeat(170)}` }, true],
    [{ password: '\u{1F511}' }, true],
    // PAM would ask for the name.
    [{ username: '' }, false],
    [{ username: 'a'.repeat(33) }, false],
    [{ password: 'p'.repeat(512) }, false],
    [{ password: 'a\uD83D' }, false],
    [{ username: '\uDD11' }, false],
  ])('says whether %j may reach PAM: %s', (fields, expected) => {
    expect(mayReachPam({ username, password, ...fields })).toBe(expected);
  });

  test('refuses a NUL or a line end anywhere in either', () => {
    const around = string({ maxLength: 10 });
    checkProperty(
      property(around, constantFrom('\0', '\r', '\n'), around, (before, character, after) => {
        const text = `${before}${character}${after}`;
        expect(mayReachPam({ username: text, password })).toBe(false);
        expect(mayReachPam({ username, password: text })).toBe(false);
      }),
    );
  });
});

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pam-'));
  await writeFile(join(folder, 'hostauth'), '');
});
afterAll(() => rm(folder, { recursive: true }));

test('contract §8 PAM service: reports nothing when all is in place; else names what is missing and the command that installs it, in one line', () => {
  expect(checkPam('hostauth', { folder })).toBeUndefined();
  const notBuilt = checkPam('hostauth', {
    folder,
    load() {
      throw new Error("Cannot find module 'authenticate-pam'\nRequire stack:\n- /somewhere");
    },
  });
  expect(notBuilt).toMatch(/^.*Cannot find module 'authenticate-pam'.*install .*libpam0g-dev.*npm ci.*$/);
  const published = { authenticate: () => undefined };
  const load = () => loadPamBinding(() => published);
  expect(checkPam('hostauth', { folder, load })).toMatch(/without the patch.*setup\.mjs --pam/);
  const missing = /parley-nowhere is missing.*npm run hostauth -- install/;
  expect(checkPam('parley-nowhere', { folder })).toMatch(missing);
  // Before it looks for a file.
  for (const service of ['', '../passwd', 'Hostauth', '-x', 'a'.repeat(65)])
    expect(checkPam(service, { folder: '/etc' })).toContain('is not the name of a PAM service');
});

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepModulesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const name of ['pam_unix', 'pam_faillock', 'pam_permit', 'libcrypt'])
    expect(maps).toContain(`/${name}.so`);
});
