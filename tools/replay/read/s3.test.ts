import { readFile } from 'node:fs/promises';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { message, recv } from '#tests/builders/updateOf.ts';
import { captureIn, outOf, refused, rowsOf, runTool } from '../testing/files.ts';
import { readObjectText } from './s3.ts';
import { startS3Server } from './testing/startS3Server.ts';

// One for all tests: a process has one client, with the environment of its start.
const { state, url, stop } = await startS3Server();

beforeEach(() => {
  Object.assign(state, { pageSize: 1000, accessKey: 'reader' });
  state.objects.clear();
  state.requests.length = 0;
  state.faults.length = 0;
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await stop();
});

async function storeCaptures(...names: readonly string[]) {
  const { at, path: capture } = await captureIn([recv(0, { person: 'Ada', messages: [message('a')] })]);
  await runTool('verify', capture, '--update');
  const content = await readFile(capture);
  for (const name of names) {
    state.objects.set(`${name}.parley.jsonl`, content);
    state.objects.set(`${name}.golden.json`, await readFile(at('x.golden.json')));
  }
}

test('contract §7 s3: verifies the captures in a folder of an S3-compatible store, which it lists page by page', async () => {
  await storeCaptures('day/1', 'day/2/a b', 'day/2/ü&', 'day/.hidden', 'days/other');
  state.pageSize = 3;
  const out = await outOf('verify', url('day'), '--reporter', 'ndjson');
  const found = rowsOf(out).flatMap((row): unknown => Object(row).capture ?? []);
  expect(found).toEqual(['day/1', 'day/2/a b', 'day/2/ü&'].map((name) => url(`${name}.parley.jsonl`)));
  expect(state.requests.filter((request) => request === 'GET /sessions/')).toHaveLength(3);
});

test('reports a failure, a missing golden and a missing object as it does on disk', async () => {
  await storeCaptures('changed', 'lost');
  const golden = String(state.objects.get('changed.golden.json'));
  state.objects.set('changed.golden.json', Buffer.from(golden.replace('"person":"Ada"', '"person":"Eve"')));
  state.objects.delete('lost.golden.json');
  const { status, out } = await runTool('verify', url(''), url('gone.parley.jsonl'));
  expect(status).toBe(2);
  expect(out).toContain(`differs  ${url('changed.parley.jsonl')}\n`);
  const missing = 'there is no golden yet; run verify with --update';
  expect(out).toContain(`unusable ${url('lost.golden.json')}: ${missing}`);
  expect(out).toContain(`unusable ${url('gone.parley.jsonl')}: there is no such object`);
});

test('--update writes goldens beside the captures of a store', async () => {
  await storeCaptures('a');
  const golden = state.objects.get('a.golden.json');
  state.objects.delete('a.golden.json');
  const first = await runTool('verify', url(''), '--update');
  expect(first.status).toBe(0);
  expect(state.objects.get('a.golden.json')).toEqual(golden);
  await runTool('verify', url(''), '--update');
  expect(state.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
});

test('repeats a request that the store refuses for a moment, and continues an object whose connection breaks', async () => {
  state.objects.set('long', Buffer.from('0123456789'.repeat(1000)));
  state.faults.push({ status: 503, code: 'SlowDown' }, { endsAfter: 4321 }, { endsAfter: 10 });
  expect(await readObjectText(url('long'))).toBe('0123456789'.repeat(1000));
});

test('says in one line that the store refuses the credentials', async () => {
  state.accessKey = 'other';
  const advice = 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN';
  const err = `${url('day')}: the credentials are not accepted; ${advice}\n`;
  expect(await runTool('verify', url('day'))).toEqual(refused(err));
});
