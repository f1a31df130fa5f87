import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkSupply } from './checkSupply.mjs';

/** A package of the lock file, with the fields of its own `package.json`. */
interface Package {
  readonly version: string;
  readonly [field: string]: unknown;
}

const HASH = `sha512-${Buffer.from('a'.repeat(64)).toString('base64')}`;
const entry = (fields: object = {}): Package => ({
  version: '1.0.0',
  integrity: HASH,
  license: 'MIT',
  ...fields,
});

/** A tree without a fault: a shipped package, one below it, a tool, and some that need not be installed. */
const LOCKED: Readonly<Record<string, Package>> = {
  'node_modules/a': entry({ dependencies: { b: '^1.0.0' }, license: '(WTFPL OR ISC)' }),
  'node_modules/a/node_modules/b': entry({ version: '1.5.0' }),
  'node_modules/@scope/tool': entry({ dev: true, license: 'MPL-2.0', dependencies: { b: '2.0.0' } }),
  'node_modules/b': entry({ version: '2.0.0', dev: true }),
  'node_modules/native': entry({ optional: true, os: ['darwin'] }),
  'node_modules/native-dev': entry({ devOptional: true, os: ['darwin'] }),
  'node_modules/peer': entry({ peer: true }),
  'node_modules/authenticate-pam': entry({
    version: '1.0.5',
    license: undefined,
    optional: true,
    hasInstallScript: true,
  }),
};

const NOT_INSTALLED = new Set(['node_modules/native', 'node_modules/native-dev', 'node_modules/peer']);

interface Project {
  readonly locked?: Readonly<Record<string, Package>>;
  /** The differences of the installed tree from `locked`; `null` is a missing package. */
  readonly installed?: Readonly<Record<string, Package | null>>;
  readonly allowScripts?: object;
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13);

function projectWith({
  locked = {},
  installed = {},
  allowScripts = { 'authenticate-pam': true },
}: Project): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-supply-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), JSON.stringify(value));
  };
  const project = { name: 'project', version: '1.0.0', license: 'MIT', dependencies: { a: '1' } };
  const packages = { ...LOCKED, ...locked };
  const tree = Object.entries({ ...packages, ...installed }).filter(
    ([path, found]) => found !== null && (path in installed || !NOT_INSTALLED.has(path)),
  );
  write('package.json', { ...project, allowScripts });
  write('package-lock.json', { lockfileVersion: 3, packages: { '': project, ...packages } });
  write('node_modules/.package-lock.json', { packages: Object.fromEntries(tree) });
  for (const [path, found] of tree) write(`${path}/package.json`, { name: nameOf(path), ...found });
  return root;
}

/** Returns the faults of a project. */
const check = (project: Project, change: (root: string) => void = () => {}) => {
  const root = projectWith(project);
  change(root);
  return checkSupply(root).faults;
};

describe('the check of the packages', () => {
  test('accepts a tree that equals the lock file', () => {
    expect(check({})).toEqual([]);
  });

  test.each<[string, Project, string]>([
    ['a missing package', { installed: { 'node_modules/a': null } }, 'node_modules/a is not installed.'],
    [
      'another version',
      { installed: { 'node_modules/b': entry({ version: '2.0.1' }) } },
      'node_modules/b is 2.0.1, not 2.0.0 as locked.',
    ],
    [
      'an install script without a decision in allowScripts',
      { locked: { 'node_modules/@scope/tool': entry({ dev: true, hasInstallScript: true }) } },
      '@scope/tool has an install script, and allowScripts does not name it.',
    ],
    [
      'an install script that is allowed without being on the list',
      { allowScripts: { 'authenticate-pam': true, evil: true } },
      'allowScripts lets evil run scripts, but it is not on the list.',
    ],
    [
      'a license that is not on the list',
      { locked: { 'node_modules/a': entry({ license: 'GPL-3.0-only' }) } },
      'a@1.0.0 has the license GPL-3.0-only, which is not on the list for shipping.',
    ],
    [
      'a license that differs from the locked one',
      { installed: { 'node_modules/b': entry({ version: '2.0.0', license: 'GPL-3.0-only' }) } },
      'b@2.0.0 has the license GPL-3.0-only, but the lock file says MIT.',
    ],
  ])('reports %s', (_, project, fault) => {
    expect(check(project)).toEqual([fault]);
  });

  test.each<[string, (root: string) => void, string]>([
    [
      'a package that was replaced on the disk',
      (root) =>
        writeFileSync(
          join(root, 'node_modules/b/package.json'),
          JSON.stringify({ name: 'b', version: '6.6.6', license: 'MIT' }),
        ),
      'node_modules/b is b@6.6.6 on the disk, not b@2.0.0 as locked.',
    ],
  ])('reports %s', (_, change, fault) => {
    expect(check({}, change)).toEqual([fault]);
  });

  test('the script names the command to run when nothing is installed, and ends with 2', () => {
    const root = projectWith({});
    rmSync(join(root, 'node_modules'), { recursive: true });
    const script = join(import.meta.dirname, 'checkSupply.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^The packages cannot be read .*npm ci`\.\n$/);
  });
});
