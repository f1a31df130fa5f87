import { readFile, readdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkAsyncProperty } from '#tests/builders/checkProperty.ts';
import { recv } from '#tests/builders/updateOf.ts';
import { captureIn, outOf, refused, runTool, temporaryFolder, wholeCapture } from '../testing/files.ts';
import { ddmin } from './minimizeCapture.ts';

const named = (t: number, name: string) => recv(t, { name });

const RECORDS = [{ t: 0, type: 'open' }, ...Array.from({ length: 15 }, (_, i) => named(i, `name ${i}.`))];

test('contract §7 minimize: finds the two needed records, at their times', async () => {
  const { at, path } = await captureIn(RECORDS);
  const check = `! awk '/name 7\\./ { a = 1 } /name 12\\./ { b = 1 } END { exit !(a && b) }' "$1"`;
  const out = await outOf('minimize', path, '--check', check);
  expect(out).toContain('2 records of 16');
  const { header, records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(header).toEqual((await wholeCapture(path)).header);
  expect(records).toEqual([named(7, 'name 7.'), named(12, 'name 12.')]);
});

test('writes the file of -o, prints one document with --json, and leaves no candidates behind', async () => {
  const { at, path } = await captureIn(RECORDS);
  const seen = await temporaryFolder();
  vi.stubEnv('TMPDIR', seen(''));
  onTestFinished(() => void vi.unstubAllEnvs());
  const check = `printf %s "$PARLEY_CAPTURE_FILE" > ${at('candidate')}; false`;
  const output = at('y.parley.jsonl.gz');
  const { out } = await runTool('minimize', path, '--check', check, '-o', output, '--json');
  const records = { before: 16, after: 0 };
  const result = { checks: expect.any(Number), minimal: true };
  expect(JSON.parse(out)).toEqual({ capture: path, output, records, ...result, version: 1 });
  expect((await wholeCapture(output)).records).toEqual([]);
  expect(await readFile(at('candidate'), 'utf8')).toContain(seen(''));
  expect(await readdir(seen(''))).toEqual([]);

  vi.stubEnv('TMPDIR', seen('gone'));
  const problem = `temporary files cannot be written in ${seen('gone')}: its folder does not exist`;
  const advice = 'name another folder in TMPDIR';
  expect(await runTool('minimize', path, '--check', 'false')).toEqual(refused(`${problem}; ${advice}\n`));
});

test('--fails keeps the outcome and the signature, with one check after the other in the same process', async () => {
  const { at, path } = await captureIn([
    { t: 0, type: 'open' },
    ...Array.from({ length: 12 }, (_, i) => ({ t: i, type: 'recv', data: `apples ${i}` })),
    { t: 20, type: 'recv', data: 'pears 1' },
    { t: 21, type: 'recv', data: 'figs 1' },
  ]);
  // Without apples, another error is first.
  await writeFile(
    at('adapter.ts'),
    `import { counterAdapter } from ${JSON.stringify(resolve(import.meta.dirname, '../testing/counterAdapter.ts'))};
    function failOnPears(state) { if (state.totals.apples > 6) throw new RangeError('many'); throw new TypeError('few'); }
    const reduce = (state, update) => (update[0] === 'pears' ? failOnPears(state) : counterAdapter.reduce(state, update));
    export default { ...counterAdapter, reduce };`,
  );
  const out = await outOf('minimize', path, '--fails', 'verify', '--app', at('adapter.ts'));
  expect(out).toContain(`run ${at('x.min.parley.jsonl')} --app ${at('adapter.ts')} --with state,display`);
  const { records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(records).toMatchObject([{ data: 'apples 11' }, { data: 'pears 1' }]);
});

test('ddmin finds a list that fails, and passes without any one of its items', () =>
  checkAsyncProperty(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), fc.func(fc.boolean()), async (length, chance) => {
      const all = Array.from({ length }, (_, i) => i);
      const fails = async (items: readonly number[]) => items.length === all.length || chance(items);
      const found = await ddmin(all, fails);
      expect(await fails(found)).toBe(true);
      for (const item of found) expect(await fails(found.filter((other) => other !== item))).toBe(false);
    }),
  ));
