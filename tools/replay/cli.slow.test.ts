import { readFile, readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { temporaryFolder, writeCapture } from './testing/files.ts';
import { startTool } from './testing/startTool.ts';

const recv = (t: number, name: string): CaptureRecord => ({
  t,
  type: 'recv',
  data: JSON.stringify({ name }),
});

async function capture(...records: readonly CaptureRecord[]) {
  const at = await temporaryFolder();
  return { at, path: await writeCapture(at('x.parley.jsonl'), records) };
}

test('contract §1 signals: a command ends with 130 in the middle of its input, and leaves no file', async () => {
  const { path } = await capture(recv(1, 'Hello.'));
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
