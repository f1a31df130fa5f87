import { execFile, spawn } from 'node:child_process';
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { item, message, recv } from '#tests/builders/updateOf.ts';
import { testText } from './init/templates.ts';
import { temporaryFolder, writeCapture } from './testing/files.ts';

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
const ENV = { PATH: process.env.PATH, NO_COLOR: '1' };
const run = promisify(execFile);

const RECORDS = [
  recv(0, { person: 'Ada', messages: [message('a')] }),
  recv(1, item('hi')),
  recv(2, { text: 'Hi' }),
];

/** Runs a project's tests with Vitest, as on a developer's machine; resolves to what it printed. */
async function runVitest(root: string, ...options: readonly string[]): Promise<string> {
  const args = [VITEST, 'run', '--root', root, ...options];
  // Vitest ends with 1 when a test fails.
  const { stdout, stderr } = await run(process.execPath, args, { cwd: root, env: ENV }).catch(Object);
  return `${stdout}${stderr}`;
}

/** A project outside the repository with one capture, and one test file that describes it, with an adapter if one is given. */
async function project(adapter?: string) {
  const at = await temporaryFolder();
  const here = import.meta.dirname;
  await writeFile(
    at('sessions.test.ts'),
    `import { describeCaptures } from '${here}/vitest.ts';
    import { counterAdapter } from '${here}/testing/counterAdapter.ts';
    describeCaptures(new URL('.', import.meta.url)${adapter === undefined ? '' : `, { adapter: ${adapter} }`});`,
  );
  const apples = [{ t: 5, type: 'recv', data: 'apples 2' }];
  const capture = await writeCapture(at('x.parley.jsonl'), adapter === undefined ? RECORDS : apples);
  return { at, root: at(''), capture, golden: at('x.golden.json') };
}

test('describeCaptures writes goldens, names the first update that differs, and updates goldens with -u', async () => {
  const { at, root, capture, golden } = await project();
  expect(await runVitest(root)).toContain('1 written');
  const text = await readFile(golden, 'utf8');
  expect((await stat(golden)).mode).toBe((await stat(capture)).mode);

  await writeFile(golden, text.replace('[1].text":"Hi"', '[1].text":"Ho"'));
  await writeFile(at('gone.golden.json'), text);
  const printed = await runVitest(root);
  expect(printed).toContain('first differs after update 3 (text, applied, at 300 ms)');
  expect(printed).toContain('× each golden has a capture');
  expect(printed).toContain('"gone.golden.json"');
  expect(await runVitest(root, '-u')).toContain('1 updated');
  expect(await readFile(golden, 'utf8')).toBe(text);
});

test('describeCaptures fails with a named test when the folder is missing or has no capture', async () => {
  const { at, root } = await project();
  await rm(at('x.parley.jsonl'));
  expect(await runVitest(root)).toMatch(/× finds captures[^]*contains no capture/);
  const text = await readFile(at('sessions.test.ts'), 'utf8');
  await writeFile(at('sessions.test.ts'), text.replace("new URL('.',", "new URL('missing',"));
  expect(await runVitest(root)).toMatch(/× replays missing to its golden[^]*missing: there is no such file/);
});

test('in watch mode, the test that init writes runs again when a capture changes, without configuration', async () => {
  const { at, root, capture } = await project('counterAdapter');
  await runVitest(root);
  const written = /^import\.meta\.glob.*$/m.exec(testText('x.ts'))?.[0] ?? '';
  const text = await readFile(at('sessions.test.ts'), 'utf8');
  await writeFile(at('sessions.test.ts'), `${text}\n${written.replace('/captures/', '/')}`);
  const vitest = spawn(process.execPath, [VITEST, '--watch', '--root', root], { cwd: root, env: ENV });
  onTestFinished(() => void vitest.kill('SIGKILL'));
  for await (const line of createInterface({ input: vitest.stdout })) {
    if (line.includes('Waiting for file changes'))
      await appendFile(capture, '{"t":6,"type":"recv","data":"apples 3"}\n');
    if (/RERUN.*x\.parley\.jsonl/.test(line)) break;
  }
  expect(vitest.exitCode).toBeNull();
});
