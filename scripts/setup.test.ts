import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = 'node_modules/authenticate-pam';

/** Runs the set-up in a checkout whose authenticate-pam has other files. @returns what it prints, and the source afterwards. */
function setUp(files: Readonly<Record<string, string>>) {
  const checkout = mkdtempSync(join(tmpdir(), 'parley-setup-'));
  onTestFinished(() => rmSync(checkout, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  };
  for (const path of ['scripts/setup.mjs', 'hostauth/helper/pam/authenticate-pam.patch'])
    cpSync(join(ROOT, path), join(checkout, path));
  for (const path of ['package-lock.json', 'node_modules/.package-lock.json'])
    write(path, '{ "packages": {} }');
  for (const [name, text] of Object.entries(files)) write(join(PACKAGE, name), text);
  const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'scripts/setup.mjs'), '--pam'], {
    encoding: 'utf8',
  });
  return { status, stderr, source: readFileSync(join(checkout, PACKAGE, 'authenticate_pam.cc'), 'utf8') };
}

const published = readFileSync(join(ROOT, PACKAGE, 'authenticate_pam.cc.orig'), 'utf8');

test.each([
  ['source', '1.0.5', `${published}\n`],
  ['version', '1.0.6', published],
])('does not patch a PAM binding of another %s: one line says so', (_, version, text) => {
  const { status, stderr, source } = setUp({
    'package.json': JSON.stringify({ version }),
    'authenticate_pam.cc': text,
  });
  expect([status, source]).toEqual([1, text]);
  expect(stderr).toMatch(
    new RegExp(`^setup: authenticate-pam ${version} is not the 1\\.0\\.5 that .*: run .npm ci.*\n$`),
  );
});
