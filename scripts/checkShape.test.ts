import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** 500 files without imports, so that only the limits that a test breaks are broken. */
const FILLER = Object.fromEntries(
  Array.from({ length: 500 }, (_, index) => [`tests/filler${index}.ts`, 'export const x = 1;\n']),
);

const SPECIFICATION = '## Spec §1: Frames\n\nText.\n';

/** Runs the check on a project of these files; returns its exit status and the lines on stderr. */
function checkShape(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'parley-shape-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const project = {
    'package.json': '{"imports":{"#a/*":"./src/a/*"}}',
    'docs/specification.md': SPECIFICATION,
    ...FILLER,
    ...files,
  };
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return run(root);
}

function run(root: string) {
  const script = join(import.meta.dirname, 'checkShape.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, stdout, faults: stderr.split('\n').filter(Boolean) };
}

const functionOf = (lines: number) => `export function long() {\n${'  void 0;\n'.repeat(lines - 2)}}\n`;

test('prints the table and ends with 0 when all limits hold', () => {
  const { status, stdout, faults } = checkShape({
    'src/a/one.ts': "import { two } from './two.ts';\nexport const one = two;\n",
    'src/a/two.ts': "export { three as two } from '#a/b/three.tsx';\n",
    'src/a/b/three.tsx': 'export const three = <b>3</b>;\n',
    'README.md': 'Frames are described in spec §1.\n',
    // A test may import from any folder.
    'src/a/b/three.test.ts': "import { one } from '../one.ts';\none();\n",
  });
  expect(faults).toEqual([]);
  expect(status).toBe(0);
  expect(stdout).toContain('| product files | 3 |  |\n');
  expect(stdout).toContain('| citations of the specification | 1 |  |\n| dangling citations | 0 | 0 |\n');
});

test('reports each kind of fault and ends with 1', () => {
  const { status, faults } = checkShape({
    // Only type imports close this cycle.
    'src/types/one.ts': "import type { Two } from './two.ts';\nexport type One = Two;\n",
    'src/types/two.ts': "export type Two = import('./one.ts').One;\n",
    // A folder and its parent are two folders; one edge is a re-export, the other one an alias.
    'src/a/one.ts': "export { two } from './b/two.ts';\n",
    'src/a/b/two.ts': 'export const two = 2;\n',
    'src/a/b/three.tsx': "import { four } from '#a/four.ts';\nexport const Three = () => <b>{four}</b>;\n",
    'src/a/four.ts': 'export const four = 4;\n',
    'src/long/file.ts': 'void 0;\n'.repeat(401),
    'src/long/styles.css': 'a {}\n'.repeat(401),
    'src/long/cites.ts': '// spec §1 and spec §99\n',
    'src/long/function.mjs': `// é\n${functionOf(61)}`,
  });
  expect(faults).toEqual([
    'src/long/file.ts: 401 lines, the limit is 400',
    'src/long/styles.css: 401 lines, the limit is 400',
    'src/long/function.mjs:2: 61 lines, the limit is 60',
    'import cycle of files: src/types/one.ts, src/types/two.ts',
    'import cycle of folders: src/a, src/a/b',
    'src/long/cites.ts:1: the specification has no spec §99',
  ]);
  expect(status).toBe(1);
});

test('counts neither blank lines nor lines of comments', () => {
  const { status, stdout } = checkShape({
    'src/file.ts': `${'\n// line\n/* two\n lines */ /* here */\n'.repeat(200)}${'void 0; // why\n'.repeat(399)}void '//';`,
    'src/styles.css': `${'/* two\n lines */\n\n'.repeat(200)}${'a {} /* why */\n'.repeat(400)}`,
    'src/function.ts': functionOf(60).replace('\n', '\n\n// line\n/**\n * why\n */\n'),
  });
  expect(stdout).toContain('| lines of a file, longest | 400 | 400 |\n');
  expect(stdout).toContain('| lines of a function, longest | 60 | 60 |\n');
  expect(status).toBe(0);
});

test('ends with 2 when an import finds no file', () => {
  const { status, faults } = checkShape({ 'src/a/one.ts': "import './two.ts';\n" });
  expect(faults).toEqual(['src/a/one.ts: cannot find ./two.ts']);
  expect(status).toBe(2);
});

test('ends with 2 when a file cannot be parsed', () => {
  const { status, faults } = checkShape({ 'src/a/one.ts': 'export const = 1;\n' });
  expect(faults).toEqual([expect.stringMatching(/^src\/a\/one\.ts: /)]);
  expect(status).toBe(2);
});

test('reports that too few files were read', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-shape-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'package.json'), '{}');
  mkdirSync(join(root, 'docs'));
  writeFileSync(join(root, 'docs/specification.md'), SPECIFICATION);
  expect(run(root).faults).toEqual(['only 0 files were read']);
});
