import { readFile, readdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { runTool, temporaryFolder, wholeCapture, writeCapture } from '../testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

const RECORDS = [{ t: 0, type: 'open' }, ...Array.from({ length: 30 }, (_, i) => recv(i, `name ${i}.`))];

async function capture() {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), RECORDS);
  return { at, path, text: () => readFile(at('x.min.parley.jsonl'), 'utf8') };
}

/** A check, as a script of one process, that fails when both names stand in the file. */
async function script(at: (name: string) => string, file: string) {
  const lines = [
    'while IFS= read -r line; do case $line in *"name 7."*) a=1 ;; *"name 21."*) b=1 ;; esac',
    `done < "${file}"`,
    '[ "$a$b" != 11 ]',
  ];
  await writeFile(at('check.sh'), `${lines.join('\n')}\n`);
  return `sh ${at('check.sh')}`;
}

test.each([
  ['as its argument', '$1'],
  ['in the environment', '$PARLEY_CAPTURE_FILE'],
])(
  'contract §7 minimize: finds the two needed records with a check that gets the candidate %s, at their times',
  async (_, file) => {
    const { at, path } = await capture();
    const { status, out, err } = await runTool('minimize', path, '--check', await script(at, file));
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out).toContain('2 records of 31');
    const { header, records } = await wholeCapture(at('x.min.parley.jsonl'));
    expect(header).toEqual((await wholeCapture(path)).header);
    expect(records).toEqual([recv(7, 'name 7.'), recv(21, 'name 21.')]);
  },
);

test('writes the file of -o and prints one document with --json', async () => {
  const { at, path } = await capture();
  const check = await script(at, '$1');
  const { out } = await runTool('minimize', path, '--check', check, '-o', at('y.parley.jsonl.gz'), '--json');
  expect(JSON.parse(out)).toEqual({
    capture: path,
    output: at('y.parley.jsonl.gz'),
    records: { before: 31, after: 2 },
    checks: expect.any(Number),
    minimal: true,
  });
  expect((await wholeCapture(at('y.parley.jsonl.gz'))).records).toHaveLength(2);
});

test.each([
  ['false', ''],
  ["! : run x --app './my adapter.ts' #", " --app './my adapter.ts' --with state,display"],
  ['false --app=../board/adapter.ts', ' --app=../board/adapter.ts --with state,display'],
])('prints the command that replays the result of the check %s', async (check, options) => {
  const { at, path } = await capture();
  const { out } = await runTool('minimize', path, '--check', check);
  const result = at('x.min.parley.jsonl');
  expect(out.split('\n').at(-2)).toBe(`Replay it with: npm run replay -- run ${result}${options}`);
});

test('keeps only the header for a check that always fails', async () => {
  const { at, path } = await capture();
  expect((await runTool('minimize', path, '--check', 'false')).status).toBe(0);
  expect((await wholeCapture(at('x.min.parley.jsonl'))).records).toEqual([]);
});

test.each([
  ['passes on the whole capture', 'true', /: --check does not fail on the whole capture/],
  ['the shell cannot run', '/gone/check', /^--check: the shell cannot run `\/gone\/check`\n$/],
])('refuses a check that %s in one line, with status 2 and without a file', async (_, check, message) => {
  const { at, path } = await capture();
  const done = await runTool('minimize', path, '--check', check);
  expect(done).toEqual({ status: 2, out: '', err: expect.stringMatching(message) });
  expect(done.err.split('\n')).toHaveLength(2);
  expect(await readdir(at('.'))).toEqual(['x.parley.jsonl']);
});

test('refuses the capture itself as output', async () => {
  const { path } = await capture();
  expect(await runTool('minimize', path, '--check', 'false', '-o', path)).toMatchObject({ status: 2 });
  expect((await wholeCapture(path)).records).toHaveLength(31);
});

test('leaves no candidates behind after the search', async () => {
  const { path } = await capture();
  const [at, seen] = [await temporaryFolder(), await temporaryFolder()];
  const check = `printf %s "$1" > ${seen('candidate')}; false`;
  const { ended } = runProgram(CLI, ['minimize', path, '--check', check], { TMPDIR: at('.') });
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(seen('candidate'), 'utf8')).toContain(at(''));
  expect(await readdir(at('.'))).toEqual([]);
});

test('writes a candidate of 20,000 records in a few writes', async () => {
  const at = await temporaryFolder();
  const records = Array.from({ length: 20_000 }, (_, i) => recv(i, `name ${i}.`));
  const path = await writeCapture(at('x.parley.jsonl'), records);
  const before = await writeCalls();
  const { status } = await runTool('minimize', path, '--check', 'true');
  expect(status).toBe(2);
  expect((await writeCalls()) - before).toBeLessThan(2000);
});

/** How often this process has written so far. */
async function writeCalls(): Promise<number> {
  return Number(/^syscw: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
}

test('says in one line that temporary files cannot be written, with status 2', async () => {
  const { at, path } = await capture();
  const { ended } = runProgram(CLI, ['minimize', path, '--check', 'false'], { TMPDIR: at('gone') });
  expect(await ended).toEqual({
    code: 2,
    stdout: '',
    stderr: `temporary files cannot be written in ${at('gone')}: its folder does not exist; name another folder in TMPDIR\n`,
  });
});

test('--fails keeps the outcome and the signature, with one check after the other in the same process', async () => {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [
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
  const app = ['--app', at('adapter.ts')];
  const { status, out } = await runTool('minimize', path, '--fails', 'verify', ...app);
  expect(status).toBe(0);
  expect(out).toContain(`run ${at('x.min.parley.jsonl')} --app ${at('adapter.ts')} --with state,display`);
  const { records } = await wholeCapture(at('x.min.parley.jsonl'));
  expect(records).toMatchObject([{ data: 'apples 11' }, { data: 'pears 1' }]);
});

test('--fails refuses a capture that does not fail, and options that contradict each other, with status 2', async () => {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), RECORDS);
  expect(await runTool('minimize', path, '--fails', 'verify')).toEqual({
    status: 2,
    out: '',
    err: `${path}: --fails verify does not fail on the whole capture, so there is nothing to minimize\n`,
  });
  for (const [options, problem] of [
    [[], 'name the check: --check <command>'],
    [['--fails', 'compare'], '--fails compare and --base <rev> belong together'],
    [['--fails', 'verify', '--base', 'main'], '--fails compare and --base <rev> belong together'],
    [['--check', 'false', '--app', 'x.ts'], '--app is for --fails'],
    [['--fails', 'verify', '--check', 'false'], 'cannot be used with'],
    [['--fails', 'run'], '--fails takes verify or compare'],
  ] as const) {
    const { status, err } = await runTool('minimize', path, ...options);
    expect(status).toBe(2);
    expect(err).toContain(problem);
  }
});
