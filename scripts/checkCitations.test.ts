import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformance } from './checkCitations.mjs';

const SPECIFICATION = `# Specification

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
`;

const CODE =
  "/** Spec §2.1, and the first item of it (spec §2.2.1). RFC 6455 §9. */\nexport const x = 'contract §1';\n";
const TESTS = `describe('the form', () => {
  it('spec §2.1 email, order: sends what is valid', () => {});
  it.each([1])('spec §2.2 item 1, contract §1: starts with %s | <key>', () => {});
});
`;

const PROJECT = { 'docs/specification.md': SPECIFICATION, 'src/a.ts': CODE, 'src/a.test.ts': TESTS };

/** Writes a project of these files beside those of `PROJECT`. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'parley-citations-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...PROJECT, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('lists the tests of each section, and then finds no fault', () => {
  const root = projectOf({});
  const script = join(import.meta.dirname, 'checkCitations.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--write', root], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8').split('\n');
  expect(page.filter((line) => /^(?:##|\||States) /u.test(line))).toEqual([
    '## Spec §1: Overview',
    'States no behaviour.',
    '## Spec §2.1: A form',
    '| row | tests |',
    '| email | src/a.test.ts › the form › sends what is valid |',
    '| name | none; the specification says why |',
    '| order | src/a.test.ts › the form › sends what is valid |',
    '## Spec §2.2: Input',
    '| row | tests |',
    String.raw`| item 1 | src/a.test.ts › the form › starts with %s \| &lt;key> |`,
    '## Contract §1: Commands',
    '| row | tests |',
    String.raw`| all | src/a.test.ts › the form › starts with %s \| &lt;key> |`,
  ]);
});

test('reports each kind of fault', () => {
  const { faults } = conformance(
    projectOf({
      'docs/a.md': 'See contract §9.\n',
      'src/a.ts': '/** Spec §2.1. */\n',
      'src/a.test.ts': "it('spec §2.1 email: sends it', () => {});\n",
      'src/b.ts': '// spec §2.3, spec §2.1 row 4, contract §1 and §2, spec §2.2.2\n// the section §2.1\n',
      'src/b.test.ts': "test('spec §2.1 emial: sends nothing', () => {});\n",
    }),
  );
  expect(faults).toEqual([
    'docs/a.md:1: the specification has no contract §9',
    'src/b.test.ts:1: the specification has no spec §2.1 emial',
    'src/b.ts:1: the specification has no spec §2.3',
    'src/b.ts:1: the specification has no spec §2.1 row 4',
    'src/b.ts:1: the specification has no contract §2',
    'src/b.ts:1: the specification has no spec §2.2.2',
    'src/b.ts:2: the specification has no ? §2.1',
    'no test title cites spec §2.1 order',
    'no code cites spec §2.2',
    'no test title cites spec §2.2',
    'no test title cites contract §1',
  ]);
});
