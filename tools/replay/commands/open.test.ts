import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

const READY = /^(?<what>\S+) is open at (?<url>http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43})$/;

async function start(...options: readonly string[]) {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [{ t: 1, type: 'open' }]);
  const program = runProgram(CLI, ['open', path, '--no-open', ...options]);
  const { what, url = '' } = READY.exec(await program.firstLine)?.groups ?? {};
  return { path, program, what, url };
}

test('refuses options that contradict each other, and an update below 1, in one line, with status 2', async () => {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [{ t: 1, type: 'open' }]);
  for (const [options, problem] of [
    [['--step', '1', '--update', '1'], 'cannot be used with'],
    [['--at', '1', '--update', '1'], 'cannot be used with'],
    [['--at', '1', '--step', '1'], 'cannot be used with'],
    [['--at', '-1'], '--at takes milliseconds from 0'],
    [['--update', '0'], '--update takes a whole number from 1'],
    [[path, '--base', 'main'], 'name another capture, or a revision with --base; not both'],
    [[path, '--step', '1'], '--step is for one session'],
  ] as const) {
    const { status, err } = await runTool('open', path, '--no-open', ...options);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(problem) });
  }
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'contract §7 open, loopback: open prints one line with the address, serves the page until %s, and ends with 0 within 2 s',
  async (signal) => {
    const { path, program, what, url } = await start('--step', '1');
    expect(what).toBe(path);
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"step":1');
    const begun = performance.now();
    program.child.kill(signal);
    const { code, stdout, stderr } = await program.ended;
    expect({ code, stderr, lines: stdout.trim().split('\n').length }).toEqual({
      code: 0,
      stderr: '',
      lines: 1,
    });
    expect(performance.now() - begun).toBeLessThan(2000);
  },
);

test('opens a browser with a page in a private folder, and removes both at the end', async () => {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [{ t: 1, type: 'open' }]);
  // A desktop that records the arguments of the program that opens an address: other users can see them.
  const note = `#!/bin/sh\n[ "$1" = open ] && printf %s "$2" > '${at('new')}' && mv '${at('new')}' '${at('opened')}'\nexit 0\n`;
  await writeFile(at('gio'), note, { mode: 0o700 });
  const desktop = { PARLEY_OPEN: '1', DISPLAY: ':9', XDG_CURRENT_DESKTOP: 'GNOME', BROWSER: '' };
  const environment = { ...desktop, TMPDIR: at(''), PATH: `${at('')}:${process.env['PATH']}` };
  const program = runProgram(CLI, ['open', path], environment);
  await program.firstLine;
  const opened = await vi.waitFor(() => readFile(at('opened'), 'utf8'), POLLING);
  const page = opened.replace('file://', '');
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

test('refuses a port in use in one line, with status 2', async () => {
  const { path, url } = await start();
  const { port } = new URL(url);
  expect(await runTool('open', path, '--no-open', '--port', port)).toEqual({
    status: 2,
    out: '',
    err: `port ${port} is not available; free it, or use another one (0 selects any free port)\n`,
  });
});

test.each([
  ['another file', '{"hello":1}\n', ':1: is not the header of a Parley capture'],
  ['an empty file', '', ': is empty'],
  [
    'a newer version',
    '{"format":"parley-capture","version":9,"startedAt":"2026-11-20T09:00:00.000Z","app":"1"}\n',
    ':1: has version 9; this Parley reads up to 2',
  ],
])('refuses %s in one line before it serves anything, with status 2', async (_, text, error) => {
  const at = await temporaryFolder();
  await writeFile(at('x.parley.jsonl'), text);
  expect(await runTool('open', at('x.parley.jsonl'), '--no-open')).toEqual({
    status: 2,
    out: '',
    err: `${at('x.parley.jsonl')}${error}\n`,
  });
});

test('refuses a capture whose first record is broken, a broken gzip file or a missing file in one line, with status 2', async () => {
  const at = await temporaryFolder();
  const broken = await writeCapture(at('broken.parley.jsonl'), []);
  await appendFile(broken, '{"t":1}\n{"t":2,"type":"open"}\n');
  await writeFile(at('x.parley.jsonl.gz'), gzipSync('nothing').subarray(3));
  for (const [name, message] of [
    ['broken.parley.jsonl', ':2: has no `type`'],
    ['x.parley.jsonl.gz', ': is not a gzip file, or a broken one'],
    ['gone.parley.jsonl', ': there is no such file'],
  ] as const)
    expect(await runTool('open', at(name), '--no-open')).toEqual({
      status: 2,
      out: '',
      err: `${at(name)}${message}\n`,
    });
});
