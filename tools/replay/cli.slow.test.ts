import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { captureIn, temporaryFolder } from './testing/files.ts';
import { startTool } from './testing/startTool.ts';

const named = (t: number, name: string) => recv(t, { name });

test('contract §1 signals: a command ends with 130 in the middle of its input, and leaves no file', async () => {
  const { path } = await captureIn([named(1, 'Hello.')]);
  const [header, record] = (await readFile(path, 'utf8')).split('\n');
  const long = `${header}\n${`${record}\n`.repeat(50_000)}`;
  const endsAt = async (line: string) => {
    const at = await temporaryFolder();
    const { child, ended } = startTool(line.split(' '), at(''));
    // Far more than a pipe contains: the command has read the beginning.
    await new Promise((resolvePromise) => void child.stdin.write(long, resolvePromise));
    child.kill('SIGINT');
    const { status, stdout } = await ended;
    return { status, stdout, left: await readdir(at('')) };
  };
  const ends = await Promise.all(['redact - -o out.parley.jsonl', 'report - -o out.html'].map(endsAt));
  expect(ends).toEqual(ends.map(() => ({ status: 130, stdout: '', left: [] })));
});

test('contract §1 signals: a command ends with 130 while the app’s code loops', async () => {
  const { at, path } = await captureIn([{ t: 5, type: 'recv', data: 'apples 2' }]);
  const counter = JSON.stringify(resolve(import.meta.dirname, 'testing/counterAdapter.ts'));
  await writeFile(
    at('loop.ts'),
    `import { counterAdapter } from ${counter};
    import { writeSync } from 'node:fs';
    const reduce = () => { writeSync(2, 'looping'); for (;;); };
    export const adapter = { ...counterAdapter, reduce };`,
  );
  const output = ['--to', 'redux-devtools', '-o', at('out')];
  const looping = startTool(['export', path, ...output, '--app', at('loop.ts')]);
  await once(looping.child.stderr, 'data');
  looping.child.kill('SIGINT');
  expect(await looping.ended).toMatchObject({ status: 130, stdout: '' });
  expect(await readdir(at(''))).toEqual(['loop.ts', 'x.parley.jsonl']);
});

test('contract §1 signals: find prints each step as it is found, and ends with 130 while an expression takes long', async () => {
  const { path } = await captureIn([named(1, 'first'), named(2, `${'a'.repeat(60)}b`)]);
  const looping = startTool(['find', path, '--frame', '/first|(a+)+"$/']);
  await once(looping.child.stdout, 'data');
  looping.child.kill('SIGINT');
  const stdout = '      1      0.001  received      first\n';
  expect(await looping.ended).toEqual({ status: 130, stdout, stderr: '' });
});
