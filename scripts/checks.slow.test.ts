import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformance } from './checkCitations.mjs';
import { checkShape } from './checkShape.mjs';
import { checkSupply } from './checkSupply.mjs';

const sourceOf = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

/** Writes a project of these files; returns its folder and functions that write and read a file of it. */
function project(files: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'parley-checks-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write, read: (path: string) => readFileSync(join(root, path), 'utf8') };
}

function runScript(name: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [resolve(import.meta.dirname, name), ...args], { encoding: 'utf8' });
}

const linesOf = (faults: readonly string[]) => `${faults.join('\n')}\n`;

const CITED = {
  'docs/specification.md': `# Specification
## Spec §1: Overview
*States no behaviour: an example.*

1. An item that needs no test.
## Spec §2: Data
### Spec §2.1: A form

| field | type |
|---|---|
| \`email\` | string |
| \`name\` | string (no test: a reason) |

- **order**: email first.
### Spec §2.2: Input
1. A key.
## Contract §1: Commands
It starts.
`,
  'src/a.ts':
    "/** Spec §2.1, and its first item (spec §2.2.1). RFC 6455 §9. */\nexport const x = 'contract §1';\n",
  'src/a.test.ts': `describe('the form', () => {
  it('spec §2.1 email, order: sends what is valid', () => {});
  it.each([1])('spec §2.2 item 1, contract §1: starts with %s | <key>', () => {});
});
`,
};

test('citations: lists the tests of each section', async () => {
  const { root, read } = project(CITED);
  expect(runScript('checkCitations.mjs', '--write', root)).toMatchObject({ status: 0, stderr: '' });
  await expect(read('docs/conformance.md')).toMatchFileSnapshot('testing/conformance.txt');
});

test('citations: reports each kind of fault', async () => {
  const { root } = project({
    ...CITED,
    'docs/a.md': 'See contract §9.\n',
    'src/a.ts': '/** Spec §2.1. */\n',
    'src/a.test.ts': "it('spec §2.1 email: sends it', () => {});\n",
    'src/b.ts': '// spec §2.3, spec §2.1 row 4, contract §1 and §2, spec §2.2.2\n// the section §2.1\n',
    'src/b.test.ts': "test('spec §2.1 emial: sends nothing', () => {});\n",
  });
  await expect(linesOf(conformance(root).faults)).toMatchFileSnapshot('testing/citations.txt');
});

const SHAPED = {
  'package.json': '{"imports":{"#a/*":"./src/a/*"}}',
  'docs/specification.md': '## Spec §1: Frames\n\nText.\n',
  // A table without areas limits none.
  'CONTRIBUTING.md': 'Before.\n\n| area | files | lines | small |\n| --- | --- | --- | --- |\n\nAfter.\n',
};

test('shape: counts the tree, and reports each kind of fault', async () => {
  const { root } = project({
    ...SHAPED,
    // Only type imports close this cycle.
    'src/types/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;\n",
    'src/types/two.ts': "export type Two = import('./one.ts').One;\n",
    // A folder and its parent are two folders; one edge is a re-export, the other one an alias.
    'src/a/one.ts': "export { two } from './b/two.ts';\n",
    'src/a/b/two.ts': 'export const two = 2;\n',
    'src/a/b/three.tsx': "import { four } from '#a/four.ts';\nexport const Three = () => <b>{four}</b>;\n",
    'src/a/four.ts': 'export const four = 4;\n',
    // A test may import from any folder.
    'src/types/one.test.ts': "import { one } from '../a/one.ts';\none();\n",
    'src/long/file.ts': 'void 0;\n'.repeat(401),
    'src/long/cites.ts': '// spec §1 and spec §99\n',
    'src/long/function.mjs': `// é\nexport function long() {\n${'  void 0;\n'.repeat(59)}}\n`,
  });
  const { output, faults } = checkShape(root, { leastModules: 1, write: true });
  expect(output).toMatch(/^\| the rest of src \| 9 \| 470 \| 4 \|\n[^]*\n1 files of tests\n$/m);
  await expect(linesOf(faults)).toMatchFileSnapshot('testing/shape.txt');
  expect(() => checkShape(root)).toThrow('only 10 files were read');
});

test('shape: fails when the table has other numbers than the tree, writes those that fell, and raises one only with --raise', () => {
  const { root, write, read } = project({ ...SHAPED, 'src/ui/one.ts': 'void 1;\nvoid 2;\n' });
  const check = (options: { write?: boolean; raise?: boolean } = {}) =>
    checkShape(root, { leastModules: 1, ...options }).faults;
  expect(check()).toEqual(['CONTRIBUTING.md: its table is out of date; run `npm run shape`']);
  expect(check({ write: true })).toEqual([]);
  expect(read('CONTRIBUTING.md')).toMatch(
    /^Before.\n\n\| area \|[^]*\n\| src\/ui \| 1 \| 2 \| 0 \|\n[^]*\|\n\nAfter\.\n$/,
  );
  expect(check()).toEqual([]);

  write('src/ui/one.ts', "import './two.ts';\n");
  write('src/ui/two.ts', '');
  expect(check({ write: true })).toEqual([
    expect.stringMatching(/^src\/ui: 2 files, the limit is 1; .*`npm run shape -- --raise`/),
    expect.stringMatching(/^src\/ui: 1 small, the limit is 0; /),
  ]);
  expect(read('CONTRIBUTING.md')).toContain('| src/ui | 1 | 1 | 0 |\n');
  expect(check({ write: true, raise: true })).toEqual([]);
  expect(read('CONTRIBUTING.md')).toContain('| src/ui | 2 | 1 | 1 |\n');
});

const entry = (fields: object = {}) => ({
  version: '1.0.0',
  integrity: `sha512-${Buffer.from('a'.repeat(64)).toString('base64')}`,
  license: 'MIT',
  ...fields,
});

const PAM = { version: '1.0.5', license: undefined };

/** A tree without a fault: a shipped package, one below it, a tool, and some that need not be installed. */
const LOCKED: Readonly<Record<string, object>> = {
  'node_modules/a': entry({ dependencies: { b: '^1.0.0' }, license: '(WTFPL OR ISC)' }),
  'node_modules/a/node_modules/b': entry({ version: '1.5.0' }),
  'node_modules/@scope/tool': entry({ dev: true, license: 'MPL-2.0', dependencies: { b: '2.0.0' } }),
  'node_modules/b': entry({ version: '2.0.0', dev: true }),
  'node_modules/native': entry({ optional: true, os: ['darwin'] }),
  'node_modules/native-dev': entry({ devOptional: true, os: ['darwin'] }),
  'node_modules/peer': entry({ peer: true }),
  'node_modules/authenticate-pam': entry({ ...PAM, optional: true, hasInstallScript: true }),
};

const NOT_INSTALLED = ['node_modules/native', 'node_modules/native-dev', 'node_modules/peer'];

/** Writes a project with these packages beside those of `LOCKED`; `installed` has the differences of the installed tree. */
function packages(
  locked: Readonly<Record<string, object>> = {},
  installed: Readonly<Record<string, object | undefined>> = {},
  allowScripts: object = {},
) {
  const own = { name: 'project', version: '1.0.0', license: 'MIT', dependencies: { a: '1' } };
  const all = { ...LOCKED, ...locked };
  const tree = { ...all, ...installed };
  for (const path of NOT_INSTALLED) delete tree[path];
  const onDisk = Object.entries(tree).filter(([, found]) => found !== undefined);
  const manifests = onDisk.map(([path, found]) => [
    `${path}/package.json`,
    JSON.stringify({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...found }),
  ]);
  return project({
    'package.json': JSON.stringify({ ...own, allowScripts: { 'authenticate-pam': true, ...allowScripts } }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { '': own, ...all } }),
    'node_modules/.package-lock.json': JSON.stringify({ packages: Object.fromEntries(onDisk) }),
    ...Object.fromEntries(manifests),
  });
}

test('packages: accepts a tree that equals the lock file, and reports each kind of fault', async () => {
  expect(checkSupply(packages().root).faults).toEqual([]);
  const { root, write } = packages(
    {
      'node_modules/a': entry({ dependencies: { b: '^1.0.0' }, license: 'GPL-3.0-only' }),
      'node_modules/@scope/tool': entry({ dev: true, hasInstallScript: true }),
      'node_modules/gone': entry({ dev: true }),
      'node_modules/other': entry({ dev: true }),
      'node_modules/replaced': entry({ dev: true }),
    },
    {
      'node_modules/b': entry({ version: '2.0.1' }),
      'node_modules/gone': undefined,
      'node_modules/other': entry({ license: 'GPL-3.0-only' }),
    },
    { evil: true },
  );
  write('node_modules/replaced/package.json', '{"name":"replaced","version":"6.6.6","license":"MIT"}');
  await expect(linesOf(checkSupply(root).faults)).toMatchFileSnapshot('testing/packages.txt');
  rmSync(join(root, 'node_modules'), { recursive: true });
  const { status, stderr } = runScript('checkSupply.mjs', root);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^The packages cannot be read .*npm ci`\.\n$/)]);
});

const BINDING = 'node_modules/authenticate-pam';
const SOURCE = `${BINDING}/authenticate_pam.cc`;

test.each([
  ['source', '1.0.5', `${sourceOf(`${SOURCE}.orig`)}\n`],
  ['version', '1.0.6', sourceOf(`${SOURCE}.orig`)],
])('set-up: does not patch a PAM binding of another %s: one line says so', (_, version, text) => {
  const copied = ['scripts/setup.mjs', 'hostauth/helper/pam/authenticate-pam.patch'];
  const { root, read } = project({
    ...Object.fromEntries(copied.map((path) => [path, sourceOf(path)])),
    'package-lock.json': '{ "packages": {} }',
    'node_modules/.package-lock.json': '{ "packages": {} }',
    [`${BINDING}/package.json`]: JSON.stringify({ version }),
    [SOURCE]: text,
  });
  const { status, stderr } = runScript(join(root, 'scripts/setup.mjs'), '--pam');
  expect([status, read(SOURCE)]).toEqual([1, text]);
  expect(stderr).toMatch(
    new RegExp(`^setup: authenticate-pam ${version} is not the 1\\.0\\.5 that .*: run .npm ci.*\n$`),
  );
});
