import { expect, test } from 'vitest';
import { inspectCommand, resultLines, unpainted } from './resultLines.ts';

const update = { number: 12, kind: 'text', effect: 'applied', tick: 400 };
const difference = { update, state: [], end: [] };
const record = (capture: string) =>
  ({ capture, outcome: 'differs', ms: 1, warnings: [], difference }) as const;

test.each([
  ['a/x.parley.jsonl', 'a/x.parley.jsonl'],
  ["it's a (b).parley.jsonl", String.raw`'it'\''s a (b).parley.jsonl'`],
  ['-x.parley.jsonl', './-x.parley.jsonl'],
])('quotes the path %s for a shell', (capture, quoted) => {
  expect(inspectCommand(record(capture))).toBe(`npm run replay -- open ${quoted} --update 12`);
});

test('names the first time at which a session differs when no update does', () => {
  const places = [{ path: 'windows[1].own.textBox at 20.5 ms' }];
  const differing = { ...record('x'), difference: { at: 20.5, state: [], end: places } };
  expect(inspectCommand(differing)).toBe('npm run replay -- open x --at 20.5');
  expect(inspectCommand(differing, { base: 'main' })).toBe('npm run replay -- open x --base main --at 20.5');
  expect(resultLines(differing, unpainted)).toContain('  all updates are the same; first differs at 20.5 ms');
});

test('names the update that mutated a state, no update when only the end differs, and nothing without a difference', () => {
  const { difference: _difference, ...none } = record('x');
  const mutated = { ...difference, mutated: { update: 9, path: 'person' } };
  expect(inspectCommand({ ...none, difference: mutated })).toBe('npm run replay -- open x --update 9');
  expect(inspectCommand({ ...none, difference: { state: [], end: [] } })).toBe('npm run replay -- open x');
  expect(inspectCommand(none)).toBeUndefined();
  expect(inspectCommand(record('x'), { base: "a'b" })).toBe(
    String.raw`npm run replay -- open x --base 'a'\''b' --update 12`,
  );
});

test('names the adapter of another app', () => {
  expect(inspectCommand(record('x.parley.jsonl'), { app: './my adapter.ts' })).toBe(
    "npm run replay -- open x.parley.jsonl --app './my adapter.ts' --update 12",
  );
});
