import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { storeSource } from '../testing/files.ts';
import { changingApp } from './testing/changingApp.ts';

const FILES = ['part0.ts', 'part1.ts', 'part2.ts', 'operations.ts', 'limits.ts', 'adapter.ts'];

const FAULTS = 40;

/** What a fault replaces, and by what. None of them makes a loop endless. */
const RULES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ [<>] /g, (found) => found.replace('>', '>=').replace('<', '<=')],
  [/===|!==/g, (found) => (found === '===' ? '!==' : '===')],
  [/ && | \|\| | \?\? /g, (found) => (found === ' && ' ? ' || ' : ' && ')],
  [/ [-+*] (?!=)/g, (found) => (found === ' + ' ? ' - ' : ' + ')],
  [/\b\d+\b/g, (found) => `${Number(found) + 1}`],
  [/"(\w+)"|'(\w+)'/g, (found) => `${found.slice(0, -1)}x${found.at(-1)}`],
];

const mutationsOf = (text: string) =>
  RULES.flatMap(([pattern, replace]) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
      line: text.slice(0, index).split('\n').length,
      text: `${text.slice(0, index)}${replace(found)}${text.slice(index + found.length)}`,
      what: `${found} → ${replace(found)}`,
    })),
  ).filter(({ line }) => !/^\s*(?:\/?\*|import|export type)/.test(text.split('\n')[line - 1] ?? ''));

test('contract §7 verify --changed: of forty planted faults, it names exactly the failures that the full run names', async () => {
  const app = await changingApp();
  expect(await app.index()).toMatchObject({ status: 0, err: '' });
  const random = seededRandom(20_261_126);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let [failing, omitted] = [0, 0];
  for (let n = 0; n < FAULTS; n++) {
    const file = pick(FILES) ?? '';
    const mutation = pick(mutationsOf(await readFile(join(app.folder, file), 'utf8')));
    if (mutation === undefined) continue;
    await app.withSource(file, mutation.text, async () => {
      const full = await app.failures();
      const selected = await app.failures('--changed', 'HEAD');
      const planted = { file, mutation };
      expect({ ...planted, failures: selected.failures }).toEqual({ ...planted, failures: full.failures });
      if (full.failures.length > 0) failing++;
      omitted += selected.omitted;
    });
  }
  expect(failing).toBeGreaterThan(FAULTS / 4);
  expect(omitted).toBeGreaterThanOrEqual(FAULTS * 5);
});

test('contract §7 verify --changed, contract §7 index: runs what is new, changed or not indexed, and says why', async () => {
  const app = await changingApp(12);
  expect((await app.verify('--changed', 'HEAD', '--explain')).err).toContain('12 have no entry in an index');
  expect(await app.index()).toMatchObject({ out: '12 captures: 12 replayed, 12 in the index\n' });
  expect(await app.index()).toMatchObject({ out: '12 captures: 0 replayed, 12 in the index\n' });
  expect((await app.failures('--changed', 'HEAD')).omitted).toBe(12);
  const golden = join(app.sessions, '3.golden.json');
  await writeFile(golden, (await readFile(golden, 'utf8')).replace('"a":', '"aa":'));
  const changed = await app.failures('--changed', 'HEAD');
  expect(changed).toMatchObject({ omitted: 11, failures: [expect.stringContaining('3.parley.jsonl')] });
  const source = await readFile(join(app.folder, 'part0.ts'), 'utf8');
  const edited = source.replace('state.a + v * 0', 'state.a + v * 5');
  await app.withSource('part0.ts', edited, async () => {
    const { err } = await app.verify('--changed', 'HEAD', '--explain');
    expect(err).toMatch(/part0\.ts:\d+ op0 \(changed\): \d captures?\n/);
    expect(err).toContain('reach code that differs');
  });
  const commented = source.replace(
    'export const limit',
    '// A comment, and a type.\nexport type T = 1;\nexport const limit',
  );
  await app.withSource('part0.ts', commented, async () => {
    expect((await app.failures('--changed', 'HEAD')).omitted).toBe(11);
  });
  await app.withSource('limits.ts', 'export const LIMIT = 8;\n', async () => {
    expect((await app.failures('--changed', 'HEAD')).omitted).toBe(0);
  });
});

const STORE = `import { operations } from './operations.ts';
const reduce = (state, [op, v]) => operations[op](state, v);
${storeSource('{ a: 1, b: 2 }')}`;

test('contract §7 verify --changed: the code of a store counts, which runs before the replay', async () => {
  const app = await changingApp();
  await writeFile(join(app.folder, 'adapter.ts'), STORE);
  await app.verify('--update');
  await app.commit('a store');
  expect(await app.index()).toMatchObject({ status: 0, err: '' });
  const source = await readFile(join(app.folder, 'part0.ts'), 'utf8');
  for (const [before, after] of [
    ['state.a + v * 0', 'state.a + 5'],
    ['6 * 2 + 1', '6 * 2 + 3'],
  ] as const) {
    await app.withSource('part0.ts', source.replace(before, after), async () => {
      const full = await app.failures();
      const selected = await app.failures('--changed', 'HEAD');
      expect(full.failures.length).toBeGreaterThan(0);
      expect(selected.failures).toEqual(full.failures);
      expect(selected.omitted).toBeGreaterThan(0);
    });
  }
});
