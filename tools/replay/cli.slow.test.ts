import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '#platform/testing/program.ts';
import { recv } from '#tests/builders/recv.ts';
import { message } from '#tests/builders/updateOf.ts';
import { temporaryFolder, writeCapture } from './testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');

/** Interrupts `verify` while it waits for the name of its third capture, and after it has printed the results of the others, if its reporter does. */
async function interruptedVerify(reporter: string, signal: NodeJS.Signals) {
  const at = await temporaryFolder();
  const first = await writeCapture(at('x.parley.jsonl'), [recv(1, message('Hello.'))]);
  const second = await writeCapture(at('y.parley.jsonl'), [recv(1, message('Good morning.'))]);
  const args = ['verify', '--files-from', '-', '--update', '--reporter', reporter];
  const child = spawn(process.execPath, [CLI, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stdin.write(`${first}\n${second}\n`);
  const goldens = ['x.golden.json', 'y.golden.json'].map(at);
  const isPrinted = () => reporter !== 'pretty' || [first, second].every((path) => stdout.includes(path));
  await vi.waitUntil(() => goldens.every((file) => existsSync(file)) && isPrinted(), { timeout: 30_000 });
  child.kill(signal);
  // npm repeats the terminal's signal.
  child.kill(signal);
  await once(child, 'close');
  return { code: child.exitCode, stdout };
}

test('contract §1 signals: verify reports what it has found so far in every reporter, and ends with 130 or 143', async () => {
  const [pretty, json, ndjson, junit] = await Promise.all([
    interruptedVerify('pretty', 'SIGINT'),
    interruptedVerify('json', 'SIGTERM'),
    interruptedVerify('ndjson', 'SIGTERM'),
    interruptedVerify('junit', 'SIGINT'),
  ]);
  expect([pretty, json, ndjson, junit].map(({ code }) => code)).toEqual([130, 143, 143, 130]);
  expect(pretty.stdout).toContain('new      golden of ');
  expect(pretty.stdout).toContain('interrupted by SIGINT: these are the results so far\n');
  expect(JSON.parse(json.stdout)).toMatchObject({
    end: 'SIGTERM',
    interrupted: true,
    results: expect.any(Array),
  });
  expect(JSON.parse(ndjson.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ interrupted: true });
  expect(junit.stdout).toContain('<error type="interrupted"');
});

/** Interrupts a command while it waits for the name of its second capture. The first one has an incomplete line, and so a warning. */
async function interruptedCoverage(args: readonly string[], signal: NodeJS.Signals) {
  const at = await temporaryFolder();
  const first = await writeCapture(at('x.parley.jsonl'), [recv(1, message('Hello.'))]);
  await appendFile(first, '{"t":2,');
  const child = spawn(process.execPath, [CLI, ...args, '--files-from', '-']);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stdin.write(`${first}\n`);
  await once(child.stderr, 'data');
  child.kill(signal);
  child.kill(signal);
  await once(child, 'close');
  return { code: child.exitCode, stdout };
}

test('contract §1 signals: coverage and corpus distill print the result so far, and end with 130 or 143', async () => {
  const few = (await temporaryFolder())('few');
  const [pretty, json, distilled] = await Promise.all([
    interruptedCoverage(['coverage'], 'SIGINT'),
    interruptedCoverage(['coverage', '--json'], 'SIGTERM'),
    interruptedCoverage(['corpus', 'distill', '--json', '-o', few], 'SIGINT'),
  ]);
  expect([pretty, json, distilled].map(({ code }) => code)).toEqual([130, 143, 130]);
  expect(JSON.parse(distilled.stdout)).toMatchObject({ interrupted: true, kept: [{}] });
  expect(existsSync(few)).toBe(false);
  expect(pretty.stdout).toMatch(/\ninterrupted by SIGINT: these are the results so far\n1 capture: \d+ of/);
  expect(JSON.parse(json.stdout)).toMatchObject({ interrupted: true, captures: 1 });
});

/** Interrupts a command that waits for stdin, after its first output. */
async function interruptedAtStdin(args: readonly string[], input: string) {
  const child = spawn(process.execPath, [CLI, ...args]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stdin.write(input);
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data')]);
  child.kill('SIGTERM');
  await once(child, 'close');
  return { code: child.exitCode, stdout };
}

test('contract §1 signals: verify merge and diff end with 143 after SIGTERM, never as if nothing differed', async () => {
  const at = await temporaryFolder();
  const first = await writeCapture(at('x.parley.jsonl'), [recv(1, message('Hello.'))]);
  await appendFile(first, '{"t":2,');
  const [merged, compared] = await Promise.all([
    interruptedAtStdin(['verify', 'merge', '-', '--reporter', 'ndjson'], ''),
    interruptedAtStdin(['diff', first, '-'], ''),
  ]);
  expect(merged).toMatchObject({ code: 143, stdout: expect.stringContaining('"end":"SIGTERM"') });
  expect(compared).toEqual({ code: 143, stdout: '' });
});

test.each([
  ['ends the process', 'process.exit(0);'],
  ['waits for ever', 'await new Promise(() => undefined);'],
])('ends with 2 and says so when an adapter %s while it is loaded', async (_, code) => {
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [recv(1, message('Hello.'))]);
  await writeFile(at('adapter.ts'), `${code}\nexport const adapter = {};\n`);
  const { ended } = runProgram(CLI, ['verify', path, '--app', at('adapter.ts')]);
  expect(await ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('ended before the work was done'),
  });
});

// A busy machine may exceed the time limit, but not three times.
test('SIGINT during a long burst through the store ends it within 2 s', { retry: 2 }, async () => {
  const burst = Array.from({ length: 200_000 }, () => recv(1, { name: 'x' }));
  const at = await temporaryFolder();
  const path = await writeCapture(at('x.parley.jsonl'), [...burst, recv(1e8, { name: 'late' })]);
  const { child, ended } = runProgram(CLI, ['run', path, '--engine', 'store', '--json']);
  // Its bundle is loaded and reading has begun.
  await vi.waitUntil(async () => (await bytesRead(child.pid)) > 10_000_000, { timeout: 30_000 });
  const start = performance.now();
  child.kill('SIGINT');
  const { stdout } = await ended;
  // A shell shows 130.
  expect({ signal: child.signalCode, stdout }).toEqual({ signal: 'SIGINT', stdout: '' });
  expect(performance.now() - start).toBeLessThan(2000);
});

/** What a process has read from files so far. */
async function bytesRead(pid: number | undefined): Promise<number> {
  const io = await readFile(`/proc/${pid}/io`, 'utf8');
  return Number(/^rchar: (\d+)$/m.exec(io)?.[1]);
}
