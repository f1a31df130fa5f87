import { chmodSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, afterAll, beforeAll } from 'vitest';
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

describe('isPlainlyUsable', () => {
  test.each([
    ['made by useradd, whose passwords last 99999 days', '$y$x:20000:0:99999:7:::'],
    ['whose password ends today', '$y$x:19910:0:90:7:::'],
  ])('returns true for an account %s', (_, fields) => {
    expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(true);
  });

  test.each([
    ['whose password ended yesterday', '$y$x:19909:0:90:7:::'],
    ['whose password must be changed', '$y$x:0:0:99999:7:::'],
    ['that has expired', '$y$x:20000:0:99999:7::1:'],
    ['that will expire', '$y$x:20000:0:99999:7::30000:'],

    ['without a day of change', '$y$x::0:99999:7:::'],
    ['whose password lasts for ever', '$y$x:20000::::::'],

    ['of two entries', '$y$x:20000:0:99999:7:::\nada:$y$x:20000:0:99999:7:::'],
  ])('returns false for an account %s', (_, fields) => {
    expect(isPlainlyUsable(shadowOf(fields), 'ada', TODAY)).toBe(false);
  });

  test('returns false for an account of another source', () => {
    expect(isPlainlyUsable(shadowOf('$y$x:20000:0:99999:7:::'), 'ad', TODAY)).toBe(false);
    expect(isPlainlyUsable('', 'ada', TODAY)).toBe(false);
  });
});

const username = 'ada';
const password = 'right';

describe('mayReachPam', () => {
  test.each([
    ['an ordinary name and password', { username, password }],

    ['a name of 32 bytes', { username: 'a'.repeat(32), password }],

    ['a password of 511 bytes', { username, password: `x${'€'.repeat(170)}` }],
    ['a password with an emoji, whose surrogates are a pair', { username, password: '\u{1F511}' }],
  ])('accepts %s', (_, credentials) => {
    expect(mayReachPam(credentials)).toBe(true);
  });

  test.each([
    ['no name, for which PAM would ask', { username: '', password }],
    ['a name of 33 bytes', { username: 'a'.repeat(33), password }],

    ['a password of 512 bytes', { username, password: 'p'.repeat(512) }],

    ['a half of a pair of surrogates', { username, password: 'a\uD83D' }],
    ['the other half, in the name', { username: '\uDD11', password }],
  ])('refuses %s', (_, credentials) => {
    expect(mayReachPam(credentials)).toBe(false);
  });
});

function notBuilt(): never {
  throw new Error("Cannot find module 'authenticate-pam'\nRequire stack:\n- /somewhere");
}

const published = { authenticate: () => undefined };
const loadPublished = () => loadPamBinding(() => published);

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pam-'));
  await writeFile(join(folder, 'hostauth'), '');
});
afterAll(() => rm(folder, { recursive: true }));

describe('checkPam', () => {
  test('names the package and the command when authenticate-pam is not built', () => {
    const line = checkPam('hostauth', { folder, load: notBuilt });
    expect(line).toMatch(/Cannot find module 'authenticate-pam'.*apt-get install .*libpam0g-dev.*npm ci/);
    expect(line).not.toContain('\n');
  });

  test('refuses authenticate-pam as it was published, and names the command that patches it', () => {
    expect(checkPam('hostauth', { folder, load: loadPublished })).toMatch(
      /without the patch.*setup\.mjs --pam/,
    );
  });

  test('contract §8 PAM service: names the command that installs our file when the service has none', () => {
    expect(checkPam('parley-nowhere', { folder })).toMatch(
      /parley-nowhere is missing.*npm run hostauth -- install/,
    );
  });

  test.each(['', '../passwd', 'Hostauth', '-x', 'a'.repeat(65)])(
    'refuses the name %j before it looks for a file',
    (service) => {
      expect(checkPam(service, { folder: '/etc' })).toContain('is not the name of a PAM service');
    },
  );
});

test('keeps PAM’s modules and their libraries in the process', () => {
  loadPamBinding();
  keepModulesLoaded();
  const maps = readFileSync('/proc/self/maps', 'utf8');
  for (const name of ['pam_unix', 'pam_faillock', 'pam_permit', 'libcrypt'])
    expect(maps).toContain(`/${name}.so`);
});
