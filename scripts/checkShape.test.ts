import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** 500 files without imports, so that only the limits that a test breaks are broken. */
const FILLER = Object.fromEntries(
  Array.from({ length: 500 }, (_, index) => [`tests/filler${index}.ts`, 'export const x = 1;\n']),
);

const SPECIFICATION = '## Spec §1: Frames\n\nText.\n';

/** A table without areas limits none. */
const CONTRIBUTING = 'Before.\n\n| area | files | lines | small |\n| --- | --- | --- | --- |\n\nAfter.\n';

/** Writes a project of these files; returns functions that run the script on it, write a file, and read the document with the table. */
function project(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'parley-shape-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const all = {
    'package.json': '{"imports":{"#a/*":"./src/a/*"}}',
    'docs/specification.md': SPECIFICATION,
    'CONTRIBUTING.md': CONTRIBUTING,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) write(path, text);
  return {
    write,
    document: () => readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
    run(...options: string[]) {
      const script = join(import.meta.dirname, 'checkShape.mjs');
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options, root], {
        encoding: 'utf8',
      });
      return { status, stdout, faults: stderr.split('\n').filter(Boolean) };
    },
  };
}

/** Runs the script on a project of these files, which writes the table. */
const checkShape = (files: Readonly<Record<string, string>>) =>
  project({ ...FILLER, ...files }).run('--write');

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
  expect(stdout).toContain('| the rest of src | 3 | 4 | 2 |\n');
  expect(stdout).toContain('\n501 files of tests\n');
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
  const { faults } = checkShape({
    'src/file.ts': `${'\n// line\n/* two\n lines */ /* here */\n'.repeat(200)}${'void 0; // why\n'.repeat(399)}void '//';`,
    'src/styles.css': `${'/* two\n lines */\n\n'.repeat(200)}${'a {} /* why */\n'.repeat(400)}`,
    'src/function.ts': functionOf(60).replace('\n', '\n\n// line\n/**\n * why\n */\n'),
  });
  expect(faults).toEqual([]);
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

test('fails when the table has other numbers than the tree, and writes those that fell', () => {
  const { run, write, document } = project({ ...FILLER, 'src/ui/one.ts': 'void 1;\nvoid 2;\n' });
  expect(run().faults).toEqual(['CONTRIBUTING.md: its table is out of date; run `npm run shape`']);
  expect(run('--write').status).toBe(0);
  expect(document()).toMatch(
    /^Before\.\n\n\| area \|[^]*\n\| src\/ui \| 1 \| 2 \| 0 \|\n[^]*\|\n\nAfter\.\n$/,
  );
  expect(run().status).toBe(0);

  write('src/ui/one.ts', 'void 1;\n');
  expect(run().status).toBe(1);
  expect(run('--write').status).toBe(0);
  expect(document()).toContain('| src/ui | 1 | 1 | 0 |\n');
});

test('raises a number of the table only with --raise', () => {
  const { run, write, document } = project({ ...FILLER, 'src/ui/one.ts': 'void 1;\nvoid 2;\n' });
  run('--write');
  write('src/ui/one.ts', "import './two.ts';\n");
  write('src/ui/two.ts', '');
  const { status, faults } = run('--write');
  expect(faults).toEqual([
    expect.stringMatching(/^src\/ui: 2 files, the limit is 1; .*`npm run shape -- --raise`/),
    expect.stringMatching(/^src\/ui: 1 small, the limit is 0; /),
  ]);
  expect(status).toBe(1);
  expect(document()).toContain('| src/ui | 1 | 1 | 0 |\n');

  expect(run('--write', '--raise').status).toBe(0);
  expect(document()).toContain('| src/ui | 2 | 1 | 1 |\n');
  expect(run().status).toBe(0);
});

test.each(['NaN', 'many'])(
  'takes no cell of the table for a limit that is not a whole number (%j)',
  (cell) => {
    const { run, write, document } = project({ ...FILLER, 'src/ui/one.ts': 'void 1;\n' });
    run('--write');
    const row = '| src/ui | 1 | 1 | 0 |\n';
    write('CONTRIBUTING.md', document().replace(row, `| src/ui | ${cell} | 1 | 0 |\n`));
    expect(run().status).toBe(1);
    expect(run('--write').status).toBe(0);
    expect(document()).toContain(row);
  },
);

test('ends with 2 when too few files were read', () => {
  expect(project({}).run()).toEqual({ status: 2, stdout: '', faults: ['only 0 files were read'] });
});
