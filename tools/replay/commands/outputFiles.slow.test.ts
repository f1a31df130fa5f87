import { readdir, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

/** Long enough that a signal arrives while its output is written. */
const RECORDS = Array.from({ length: 100_000 }, (_, t) => recv(t, message(`m${t}`)));

test.each([
  ['export', ['x.parley.jsonl', '--to', 'har'], 'y.har'],
  ['import', ['x.har'], 'y.parley.jsonl'],
  ['redact', ['x.parley.jsonl'], 'y.parley.jsonl'],
  ['report', ['x.parley.jsonl'], 'y.html'],
  ['minimize', ['x.parley.jsonl', '--check', 'false'], 'y.parley.jsonl'],
] as const)(
  '%s %j leaves no output or the whole output after a signal, and no temporary file',
  async (name, given, file) => {
    const at = await temporaryFolder();
    await writeCapture(at('x.parley.jsonl'), RECORDS);
    if (name === 'import') await runTool('export', at('x.parley.jsonl'), '--to', 'har', '-o', at('x.har'));
    const args = given.map((one) => (one.startsWith('x.') ? at(one) : one));
    const { child, ended } = runProgram(CLI, [name, ...args, '-o', at(file)]);
    const isWriting = async () => (await readdir(at(''))).some((one) => one.endsWith('.tmp') || one === file);
    await vi.waitUntil(isWriting, { timeout: 60_000, interval: 1 });
    child.kill('SIGTERM');
    await ended;
    const left = await readdir(at(''));
    expect(left.filter((one) => !one.startsWith('x.') && one !== file)).toEqual([]);
    if (!left.includes(file)) return;
    const { size } = await stat(at(file));
    await runTool(name, ...args, '-o', at(file), '--force');
    expect((await stat(at(file))).size).toBe(size);
  },
);
