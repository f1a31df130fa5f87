import { spawnSync } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { recv } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import { createParquetFile } from '../table/parquetFile.ts';
import { sessionsPath, writeTable } from '../table/writeTable.ts';
import { STARTED_AT, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const CLI = resolve(import.meta.dirname, '../../../out/replay/cli.js');

const SNAPSHOT = { person: 'Ada', messages: [message('a')] };
const RECORDS = [
  { t: 0, type: 'open' },
  recv(10, SNAPSHOT),
  recv(20, item('a secret')),
  recv(30, { text: 'another secret' }),
  { t: 500, type: 'close', code: 1006, reason: '' },
] as const;

async function bytesOf(path: string): Promise<ArrayBuffer> {
  return new Uint8Array(await readFile(path)).buffer;
}

/** Reads the rows of a table. */
const rowsOf = async (path: string) => parquetReadObjects({ file: await bytesOf(path) });

test('contract §7 table: writes a row for each update and a row for each session', async () => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('one.parley.jsonl'), RECORDS);
  const path = at('updates.parquet');
  const { status, out, err } = await runTool('table', at(''), '-o', path, '--json');
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(JSON.parse(out)).toEqual({
    updatesFile: path,
    sessionsFile: at('updates-sessions.parquet'),
    sessions: 1,
    updates: 3,
    unusable: 0,
  });
  const common = { capture, effect: 'applied', messages: 1, connection: 'disconnected' };
  const bytes = RECORDS.flatMap((record) => ('data' in record ? Buffer.byteLength(record.data) : []));
  expect(await rowsOf(path)).toEqual([
    {
      ...common,
      update: 1,
      tick_ms: 100,
      waited_ms: 90,
      kind: 'snapshot',
      bytes: bytes[0],
      paths: ['person', 'messages[*]'],
    },
    {
      ...common,
      update: 2,
      tick_ms: 200,
      waited_ms: 180,
      kind: 'content',
      bytes: bytes[1],
      paths: ['messages[*].content[*]'],
    },
    {
      ...common,
      update: 3,
      tick_ms: 300,
      waited_ms: 270,
      kind: 'text',
      bytes: bytes[2],
      paths: ['messages[*].content[*].text'],
    },
  ]);
  expect(await rowsOf(sessionsPath(path))).toEqual([
    {
      capture,
      started_at: new Date(STARTED_AT),
      app: '0.1.0',
      duration_ms: 500,
      received: 3,
      received_bytes: BigInt(bytes.reduce((sum, one) => sum + one, 0)),
      sent: 0,
      dropped: 0,
      rejected: 0,
      applied: 3,
      ignored: 0,
      waiting: 0,
      longest_wait_ms: 270,
      messages: 1,
      opens: 1,
      closes: 1,
      down_ms: 0,
      problem: null,
    },
  ]);
});

test('table names captures that cannot be used, and ends with 2; the others have their rows', async () => {
  const at = await temporaryFolder();
  const broken = await writeCapture(at('broken.parley.jsonl'), RECORDS);
  await writeFile(broken, 'no JSON\n{}\n', { flag: 'a' });
  await writeCapture(at('good.parley.jsonl'), RECORDS);
  const { status, err } = await runTool('table', at(''), '-o', at('x.parquet'));
  const problem = `${broken}:7: is not JSON`;
  expect({ status, err }).toEqual({ status: 2, err: `unusable ${problem}\n` });
  const sessions = await rowsOf(at('x-sessions.parquet'));
  expect(sessions.map((row) => [row['applied'], row['problem']])).toEqual([
    [0, problem],
    [3, null],
  ]);
});

test('table refuses to overwrite either file without --force, and an output that is not .parquet', async () => {
  const at = await temporaryFolder();
  const capture = await writeCapture(at('one.parley.jsonl'), RECORDS);
  const table = (...args: readonly string[]) => runTool('table', capture, '-o', ...args);
  await writeFile(at('x-sessions.parquet'), 'mine');
  expect(await table(at('x.parquet'))).toMatchObject({
    status: 2,
    err: `${at('x-sessions.parquet')}: already exists; overwrite it with --force, or name another file with -o\n`,
  });
  expect((await table(at('x.parquet'), '--force')).status).toBe(0);
  expect((await table('-')).err).toBe('-o takes a file that ends in .parquet; the tables are two files\n');
});

test('table writes neither file when the larger one cannot be completed', async () => {
  const at = await temporaryFolder();
  const names = Array.from({ length: 4000 }, (_, n) => recv(n, { name: `name ${n}` }));
  const capture = await writeCapture(at('one.parley.jsonl'), names);
  // No file of this process may be larger than 16 KiB.
  const program = `ulimit -f 32; exec "$0" "$@"`;
  const args = [CLI, 'table', capture, '-o', at('x.parquet')];
  const { status, stderr } = spawnSync('/bin/sh', ['-c', program, process.execPath, ...args]);
  expect({ status, stderr: String(stderr) }).toEqual({
    status: 2,
    stderr: expect.stringMatching(/x\.parquet: cannot be written: .*\n$/),
  });
  expect(await readdir(at(''))).toEqual(['one.parley.jsonl']);
});

test('table writes nothing when it is interrupted, or when a folder has no captures', async () => {
  const at = await temporaryFolder();
  await writeCapture(at('one.parley.jsonl'), RECORDS);
  async function* captures() {
    yield at('one.parley.jsonl');
  }
  const size = await writeTable({
    captures: captures(),
    path: at('x.parquet'),
    force: false,
    signal: AbortSignal.abort(),
    onSession: () => undefined,
    onWarnings: () => undefined,
    onProblem: () => undefined,
  });
  expect(size).toBeUndefined();
  await runTool('table', at('none'), at('*.har'), '-o', at('x.parquet'));
  expect(await readdir(at(''))).toEqual(['one.parley.jsonl']);
});

test('writes rows in groups, so that memory does not grow with their number', async () => {
  const at = await temporaryFolder();
  const file = createParquetFile({ path: at('x.parquet'), columns: { number: 'int' }, force: false });
  for (let number = 0; number < 60_000; number++) file.add({ number });
  file.complete();
  file.publish();
  const { row_groups: groups } = parquetMetadata(await bytesOf(at('x.parquet')));
  expect(groups.map(({ num_rows: rows }) => Number(rows))).toEqual([50_000, 10_000]);
});
