import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

async function capture() {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), [{ t: 1, type: 'open' }]) };
}

test.each([
  [['--at', '1', '--update', '1'], 'cannot be used with'],
  [['--at', '-1'], '--at takes milliseconds from 0'],
  [['y', '--base', 'main'], 'name another capture, or a revision with --base; not both'],
  [['y', '--step', '1'], '--step is for one session'],
])('refuses %j in one line, with status 2', async (options, problem) => {
  const { path } = await capture();
  const { status, err } = await runTool('open', path, '--no-open', ...options);
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(problem) });
});

test('refuses an unusable capture before it serves anything, and a port in use, in one line, with status 2', async () => {
  const { at, path } = await capture();
  await writeFile(
    at('y.parley.jsonl'),
    `${await readFile(path, 'utf8').then((text) => text.split('\n')[0])}\n{"t":1}\n{}\n`,
  );
  expect(await runTool('open', at('y.parley.jsonl'), '--no-open')).toEqual({
    status: 2,
    out: '',
    err: `${at('y.parley.jsonl')}:2: has no \`type\`\n`,
  });
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = Object(taken.address());
  for (const command of [
    ['open', path, '--no-open', '--port'],
    ['serve', path, '--port'],
    ['record', '--upstream', 'ws://127.0.0.1:9', '-o', at('r'), '--listen'],
  ])
    expect(await runTool(...command, String(port))).toEqual({
      status: 2,
      out: '',
      err: `port ${port} is not available; free it, or use another one (0 selects any free port)\n`,
    });
});

test('contract §7 open, loopback: open prints one line with the address, serves the page until SIGINT, and ends with 0', async () => {
  const { path } = await capture();
  const program = runProgram(CLI, ['open', path, '--no-open', '--step', '1']);
  const [, url = ''] =
    /^\S+x\.parley\.jsonl is open at (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})$/.exec(
      await program.firstLine,
    ) ?? [];
  const response = await fetch(url);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('"step":1');
  program.child.kill('SIGINT');
  const { stdout, ...ended } = await program.ended;
  expect({ ...ended, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
});

test('opens a browser with a page in a private folder, and removes both at the end', async () => {
  const { at, path } = await capture();
  // A desktop that tells the arguments of the program that opens an address: other users can see them.
  execFileSync('mkfifo', [at('opened')]);
  const note = `#!/bin/sh\n[ "$1" = open ] && printf %s "$2" > '${at('opened')}'\nexit 0\n`;
  await writeFile(at('gio'), note, { mode: 0o700 });
  const desktop = { PARLEY_OPEN: '1', DISPLAY: ':9', XDG_CURRENT_DESKTOP: 'GNOME', BROWSER: '' };
  const environment = { ...desktop, TMPDIR: at(''), PATH: `${at('')}:${process.env['PATH']}` };
  const program = runProgram(CLI, ['open', path], environment);
  const page = (await readFile(at('opened'), 'utf8')).replace('file://', '');
  expect(page).toMatch(/\/parley-open-\w{6}\/open-[\w-]{22}\.html$/);
  expect([await modeOf(page), await modeOf(dirname(page))]).toEqual([0o600, 0o700]);
  const url = /href="([^"]+)"/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  await expect(stat(page)).rejects.toThrow('ENOENT');
  program.child.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  await expect(stat(dirname(page))).rejects.toThrow('ENOENT');
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
