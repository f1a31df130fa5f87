import { execFile, spawn } from 'node:child_process';
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { temporaryFolder, writeCapture } from './testing/files.ts';

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const run = promisify(execFile);

/** How long Vitest may take. */
const WATCHING = { interval: 50, timeout: 60_000 };

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];

/** Runs a project's tests with Vitest, as on a developer's machine; resolves to what it printed. */
async function runVitest(root: string, ...options: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const args = [VITEST, 'run', '--root', root, ...options];
  // Vitest ends with 1 when a test fails.
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env }).catch(Object);
  return `${stdout}${stderr}`;
}

/** A project outside the repository with one capture, and one test file that describes it. */
async function project() {
  const at = await temporaryFolder();
  const module = JSON.stringify(join(import.meta.dirname, 'vitest.ts'));
  await writeFile(
    at('sessions.test.ts'),
    `import { describeCaptures } from ${module};\n\ndescribeCaptures(new URL('.', import.meta.url));\n`,
  );
  const capture = await writeCapture(at('x.parley.jsonl'), RECORDS);
  return { at, root: at(''), capture, golden: at('x.golden.json') };
}

test('describeCaptures writes goldens, names the first update that differs, and updates goldens with -u', async () => {
  const { root, capture, golden } = await project();
  expect(await runVitest(root)).toContain('1 written');
  const text = await readFile(golden, 'utf8');
  expect((await stat(golden)).mode).toBe((await stat(capture)).mode);

  await writeFile(golden, text.replace('[1].text":"Hi"', '[1].text":"Ho"'));
  expect(await runVitest(root)).toContain(
    [
      '  first differs after update 3 (text, applied, at 300 ms)',
      '    messages[0].content[1].text',
      '      before    "hi"',
      '      expected  "Ho"',
      '      got       "Hi"',
    ].join('\n'),
  );
  expect(await runVitest(root, '-u')).toContain('1 updated');
  expect(await readFile(golden, 'utf8')).toBe(text);
});

test('describeCaptures replays a capture after the one that it follows by its name, and -u does not mend a difference', async () => {
  const { at, root } = await project();
  const end = { type: 'action', action: { type: 'session/ended' } } as const;
  const opened = { type: 'action', action: { type: 'window/opened', payload: { number: 1 } } } as const;
  await writeCapture(at('x.parley.jsonl'), [...RECORDS, { t: 400, ...end }]);
  await writeCapture(at('x.then.parley.jsonl'), [
    { t: 1, type: 'launch' },
    { t: 9, ...end },
  ]);
  expect(await runVitest(root)).toContain('2 written');
  expect(await runVitest(root)).toContain('3 passed');

  await writeCapture(at('x.parley.jsonl'), [{ t: 0, ...opened }, ...RECORDS, { t: 400, ...end }]);
  for (const options of [[], ['-u'], []]) {
    const out = await runVitest(root, ...options);
    expect(out).toContain('  the beginning is not the state before\n    windows["1"]\n');
    expect(out).toContain('x.then.parley.jsonl');
  }
});

test('describeCaptures replays the captures of another app with its adapter', async () => {
  const { at, root, golden } = await project();
  const [module, counter] = ['vitest.ts', 'testing/counterAdapter.ts'].map((name) =>
    JSON.stringify(join(import.meta.dirname, name)),
  );
  await writeFile(
    at('sessions.test.ts'),
    `import { describeCaptures } from ${module};
    import { counterAdapter } from ${counter};
    describeCaptures(new URL('.', import.meta.url), { adapter: counterAdapter });`,
  );
  await writeCapture(at('x.parley.jsonl'), [{ t: 5, type: 'recv', data: 'apples 2' }]);
  expect(await runVitest(root)).toContain('1 written');
  const text = await readFile(golden, 'utf8');
  await writeFile(golden, text.replace('"state.totals.apples":2', '"state.totals.apples":3'));
  expect(await runVitest(root)).toContain(
    '  first differs after update 1 (apples, applied, at 5 ms)\n    state.totals.apples\n',
  );
  expect(await runVitest(root, '-u')).toContain('1 updated');
  expect(await readFile(golden, 'utf8')).toBe(text);
});

test.each([
  ['the clock', '{ ...state, at: Date.now() }', 'two replays differ in state.at after update 1'],
  ['a Map', '{ ...state, seen: new Map() }', 'state.seen is a Map'],
])('describeCaptures writes no golden of a reducer whose state has %s', async (_, state, problem) => {
  const { at, root, golden } = await project();
  const [module, counter] = ['vitest.ts', 'testing/counterAdapter.ts'].map((name) =>
    JSON.stringify(join(import.meta.dirname, name)),
  );
  await writeFile(
    at('sessions.test.ts'),
    `import { describeCaptures } from ${module};
    import { counterAdapter } from ${counter};
    const adapter = { ...counterAdapter, reduce: (state) => (${state}) };
    describeCaptures(new URL('.', import.meta.url), { adapter });`,
  );
  await writeCapture(at('x.parley.jsonl'), [{ t: 5, type: 'recv', data: 'apples 2' }]);
  expect(await runVitest(root, '-u')).toContain(problem);
  await expect(stat(golden)).rejects.toThrow('ENOENT');
});

test('captureTrigger runs the tests again in watch mode when a capture changes', async () => {
  const { at, root, capture } = await project();
  const module = JSON.stringify(join(import.meta.dirname, 'base/captureTrigger.ts'));
  await writeFile(
    at('vitest.config.ts'),
    `import { captureTrigger } from ${module};
export default { test: { watchTriggerPatterns: [captureTrigger(${JSON.stringify(basename(root))}, 'sessions.test.ts')] } };
`,
  );
  const env = { PATH: process.env.PATH, NO_COLOR: '1' };
  const child = spawn(process.execPath, [VITEST, '--watch', '--root', root], { cwd: root, env });
  onTestFinished(() => void child.kill());
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => (printed += text.toString()));
  await expect.poll(() => printed, WATCHING).toContain('PASS  Waiting for file changes');
  // Vitest may print this before it watches, so the capture changes until it runs the tests.
  const change = async () => {
    await appendFile(capture, `${JSON.stringify(recv(3, { text: 'Bye' }))}\n`);
    return printed;
  };
  await expect.poll(change, { interval: 3000, timeout: 60_000 }).toContain('first differs after update 1');
}, 120_000);

test('describeCaptures fails for a golden without a capture', async () => {
  const { at, root, golden } = await project();
  await runVitest(root);
  await writeFile(at('gone.golden.json'), await readFile(golden, 'utf8'));
  const printed = await runVitest(root);
  expect(printed).toContain('× each golden has a capture');
  expect(printed).toContain('"gone.golden.json"');
  await rm(at('gone.golden.json'));
  expect(await runVitest(root)).toContain('2 passed');
});
