import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkShape } from './checkShape.mjs';

const SPECIFICATION = '## Spec §1: Frames\n\nText.\n';

/** A table without areas limits none. */
const CONTRIBUTING = 'Before.\n\n| area | files | lines | small |\n| --- | --- | --- | --- |\n\nAfter.\n';

/** Writes a project of these files; returns functions that check it, write a file, and read the document with the table. */
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
    root,
    write,
    document: () => readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'),
    check: (options: { write?: boolean; raise?: boolean } = {}) =>
      checkShape(root, { leastModules: 1, ...options }),
  };
}

/** Checks a project of these files, and writes its table. */
const shapeOf = (files: Readonly<Record<string, string>>) => project(files).check({ write: true });

const functionOf = (lines: number) => `export function long() {\n${'  void 0;\n'.repeat(lines - 2)}}\n`;

test('prints the table and reports nothing when all limits hold', () => {
  const { output, faults } = shapeOf({
    'src/a/one.ts': "import { two } from './two.ts';\nexport const one = two;\n",
    'src/a/two.ts': "export { three as two } from '#a/b/three.tsx';\n",
    'src/a/b/three.tsx': 'export const three = <b>3</b>;\n',
    'README.md': 'Frames are described in spec §1.\n',
    // A test may import from any folder.
    'src/a/b/three.test.ts': "import { one } from '../one.ts';\none();\n",
  });
  expect(faults).toEqual([]);
  expect(output).toContain('| the rest of src | 3 | 4 | 2 |\n');
  expect(output).toContain('\n1 files of tests\n');
});

test('reports each kind of fault', () => {
  const { faults } = shapeOf({
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
});

test('fails when the table has other numbers than the tree, writes those that fell, and raises one only with --raise', () => {
  const { root, check, write, document } = project({ 'src/ui/one.ts': 'void 1;\nvoid 2;\n' });
  const old = ['CONTRIBUTING.md: its table is out of date; run `npm run shape`'];
  expect(check().faults).toEqual(old);
  expect(check({ write: true }).faults).toEqual([]);
  expect(document()).toMatch(
    /^Before\.\n\n\| area \|[^]*\n\| src\/ui \| 1 \| 2 \| 0 \|\n[^]*\|\n\nAfter\.\n$/,
  );
  expect(check().faults).toEqual([]);

  write('src/ui/one.ts', "import './two.ts';\n");
  write('src/ui/two.ts', '');
  expect(check({ write: true }).faults).toEqual([
    expect.stringMatching(/^src\/ui: 2 files, the limit is 1; .*`npm run shape -- --raise`/),
    expect.stringMatching(/^src\/ui: 1 small, the limit is 0; /),
  ]);
  const row = '| src/ui | 1 | 1 | 0 |\n';
  expect(document()).toContain(row);
  expect(check({ write: true, raise: true }).faults).toEqual([]);
  expect(document()).toContain('| src/ui | 2 | 1 | 1 |\n');

  // A cell that is not a whole number is no limit.
  write('src/ui/one.ts', 'void 1;\n');
  rmSync(join(root, 'src/ui/two.ts'));
  write('CONTRIBUTING.md', document().replace('| src/ui | 2 |', '| src/ui | many |'));
  expect(check().faults).toEqual(old);
  check({ write: true });
  expect(document()).toContain(row);
});

test('the script ends with 2 when too few files were read', () => {
  const { root } = project({ 'docs/specification.md': '' });
  const script = join(import.meta.dirname, 'checkShape.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: 'only 0 files were read\n' });
});
