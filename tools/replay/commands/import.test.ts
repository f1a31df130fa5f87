import { readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { runTool, wholeCapture } from '../testing/files.ts';
import { harMessage, harOf, harSocket, writeHar } from '../read/testing/har.ts';

const FRAME = '{"person":"Ada Lovelace","messages":[]}';
const one = harOf(harSocket([harMessage(1_795_165_200, FRAME)]));

test('contract §7 import: writes a capture beside the HAR, with the same replay', async () => {
  const { har, path } = await writeHar(one);
  const capture = path('session.parley.jsonl');
  expect(await runTool('import', har)).toEqual({
    status: 0,
    out: `${capture}: 1 received, 0 sent\nReplay it with: npm run replay -- run ${capture}\n`,
    err: '',
  });
  const [direct, imported] = await Promise.all([wholeCapture(har), wholeCapture(capture)]);
  expect(imported).toEqual(direct);
  expect((await stat(capture)).mode & 0o777).toBe(0o600);
});

test('gzips an output whose name ends in .gz', async () => {
  const { har, path } = await writeHar(one);
  const capture = path('x.parley.jsonl.gz');
  expect(await runTool('import', har, '-o', capture, '--json')).toEqual({
    status: 0,
    out: `${JSON.stringify({ har, capture, connections: 1, frames: { received: 1, sent: 0 }, warnings: [] })}\n`,
    err: '',
  });
  expect(gunzipSync(await readFile(capture)).toString()).toContain('Ada Lovelace');
});

test.each([
  ['in no folder', '/gone/x.parley.jsonl', 'cannot be written: its folder does not exist'],
  ['a full disk', '/dev/full', 'cannot be written: the disk is full'],
])('refuses an output %s in one line, with status 2', async (_, output, reason) => {
  const { har } = await writeHar(one);
  expect(await runTool('import', har, '-o', output, '--force')).toEqual({
    status: 2,
    out: '',
    err: `${output}: ${reason}\n`,
  });
});

test('contract §7 capture argument: run on a HAR prints its conversation', async () => {
  const { har } = await writeHar(one);
  const { status, out } = await runTool('run', har, '--json', '--with', 'conversation');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    updates: { applied: 1, ignored: 0 },
    conversation: { person: 'Ada Lovelace', messages: [] },
  });
});

test('selects one of several sockets by its number, and refuses a HAR with several sockets without one', async () => {
  const { har, path } = await writeHar(
    harOf(harSocket([harMessage(1, 'a')]), harSocket([harMessage(1, 'b'), harMessage(2, 'c')])),
  );
  expect(await runTool('import', har)).toMatchObject({
    status: 2,
    err: expect.stringMatching(/--socket <n>/),
  });
  expect(await runTool('run', har)).toMatchObject({ status: 2, err: expect.stringMatching(/--socket <n>/) });
  expect((await runTool('import', har, '--socket', '2')).status).toBe(0);
  expect((await wholeCapture(path('session.parley.jsonl'))).records.map(({ t }) => t)).toEqual([0, 0, 1000]);
});

test('joins the sockets of a client with --join, whose replay is that of a session with a reconnect', async () => {
  const { har, path } = await writeHar(
    harOf(
      harSocket([harMessage(1_795_165_200, FRAME)]),
      harSocket([harMessage(1_795_165_203, FRAME)], { startedDateTime: '2026-11-20T09:00:02.000Z' }),
    ),
  );
  const capture = path('session.parley.jsonl');
  expect(await runTool('import', har, '--join')).toMatchObject({
    status: 0,
    out: expect.stringContaining(`${capture}: 2 connections, 2 received, 0 sent\n`),
  });
  const { out } = await runTool('stats', capture, '--json');
  expect(JSON.parse(out)).toMatchObject({ connection: { opens: 2, reconnects: 1, closes: { '': 1 } } });
});

test.each(['session.har.gz', 'session.zip', 'session.har.zip'])(
  'writes the capture beside %s',
  async (name) => {
    const { path } = await writeHar(one, name);
    expect(await runTool('import', path(name))).toMatchObject({ status: 0 });
    expect((await wholeCapture(path('session.parley.jsonl'))).records).toHaveLength(2);
  },
);

test('refuses a file whose name is not that of a HAR', async () => {
  expect(await runTool('import', 'x.json')).toEqual({
    status: 2,
    out: '',
    err: 'x.json: is not a .har, .har.gz or .zip file\n',
  });
});
