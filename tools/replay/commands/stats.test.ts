import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recv as frame } from '#tests/builders/recv.ts';
import { item, message } from '#tests/builders/updateOf.ts';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import { STARTED_AT, captureOf, rowsOf, runTool, temporaryFolder, writeCapture } from '../testing/files.ts';

const recv = (t: number, data: string): CaptureRecord => ({ t, type: 'recv', data });

const BURST = Array.from({ length: 20 }, () => recv(2000, '{"modifier":"ai"}'));

const SESSION: readonly CaptureRecord[] = [
  { t: 10, type: 'open' },
  recv(20, '{"person":"é","messages":[]}'),
  recv(30, '[]'),
  { t: 40, type: 'recv', data: 'AAEC', encoding: 'base64' },
  { t: 50, type: 'send', data: '{"category":"text","text":"hi","blob":null}' },
  { t: 60, type: 'close', code: 1006, reason: '' },
  { t: 560, type: 'open' },
  ...BURST,
];

async function statsOf(records: readonly CaptureRecord[], ...options: readonly string[]) {
  const path = await captureOf(records);
  return { path, ...(await runTool('stats', path, ...options)) };
}

test('contract §7 stats: prints the numbers of a session with a burst', async () => {
  const { path, out, status } = await statsOf(SESSION, '--json', '--over', '5');
  expect(status).toBe(0);
  const received = { count: 23, bytes: 29 + 2 + 3 + 20 * 17 };
  expect(JSON.parse(out)).toEqual({
    capture: path,
    startedAt: STARTED_AT,
    app: '0.1.0',
    version: 2,
    durationMs: 4000,
    records: { open: 2, recv: 23, send: 1, close: 1 },
    frames: { received, sent: { count: 1, bytes: 43 }, dropped: 0, rejected: { notAnObject: 1, notText: 1 } },
    kinds: { received: { snapshot: 1, message: 20 }, sent: { text: 1 } },
    updates: { applied: 21, ignored: 0 },
    acts: {},
    windows: { opened: 0, closed: 0, mostOpen: 0, actions: {} },
    rate: { meanPerSecond: 5.75, maxPerSecond: 20 },
    // Twenty at once, one out each 100 ms: for 1500 ms there are more than five.
    queue: { max: 20, maxAtMs: 2000, over: 5, overMs: 1500, delayMs: { p50: 1000, p95: 1900, max: 2000 } },
    longestGap: { ms: 1960, fromMs: 40, toMs: 2000 },
    connection: { opens: 2, reconnects: 1, closes: { '': 1 }, downMs: 500 },
    overTime: { everyMs: 1000, frames: [3, 0, 20, 0, 0], queueDepth: [1, 0, 20, 10, 0] },
    documentVersion: 1,
  });
});

const action = (type: string, payload?: object, fields: object = {}): CaptureRecord => {
  return { t: 0, type: 'action', action: { type, payload }, ...fields };
};

test('prints the acts by type, and the windows', async () => {
  const records = [
    { t: 0, type: 'launch' },
    action('window/opened', { number: 1 }, { synthetic: true }),
    action('window/opened', { number: 2 }),
    action('window/opened', { number: 'none' }),
    action('window/closed', { number: 1 }),
    action('window/opened', { number: 3 }),
    action('window/opened', { number: 4 }),
    action('menu/opened', undefined, { window: 2 }),
    ...Array.from({ length: 3 }, () => action('message/requested', { category: 'text' }, { window: 2 })),
    ...['recording/toggleRequested', 'app/quitRequested', 'signIn/refused', 'x/y'].map((one) => action(one)),
  ];
  const { out } = await statsOf(records, '--json');
  const acts = { 'message/requested': 3, 'recording/toggleRequested': 1, 'app/quitRequested': 1 };
  expect(JSON.parse(out)).toMatchObject({ acts, windows: { opened: 3, closed: 1, mostOpen: 3 } });
  expect((await statsOf(records)).out).toContain(`
  acts            3 message/requested, 1 recording/toggleRequested,
                  1 app/quitRequested
  windows         3 opened, 1 closed, at most 3 open; 1 own action
`);
});

const SHORT = [
  { t: 0, type: 'open' },
  frame(10, { person: 'Ada', messages: [message('a')] }),
  frame(20, item('a secret')),
  frame(30, { text: 'another secret' }),
  { t: 500, type: 'close', code: 1006, reason: '' },
] as const;

test('contract §7 stats: --per-update --format ndjson prints a row for each update of each capture', async () => {
  const at = await temporaryFolder();
  const one = await writeCapture(at('one.parley.jsonl'), SHORT);
  const two = await writeCapture(at('two.parley.jsonl'), [recv(5, '{"text":"no message"}')]);
  const { status, out, err } = await runTool('stats', '--per-update', '--format', 'ndjson', at(''));
  expect([status, err]).toEqual([0, '']);
  const [snapshot, content, ofText] = SHORT.slice(1, 4).map((record) => Object(record).data.length);
  const row = (capture: string, update: number, rest: object) => {
    const [effect, messages] = capture === one ? ['applied', 1] : ['ignored', 0];
    return { capture, update, effect, messages, tick_ms: update * 100, connection: 'disconnected', ...rest };
  };
  expect(rowsOf(out)).toEqual([
    row(one, 1, { kind: 'snapshot', waited_ms: 90, bytes: snapshot, paths: ['person', 'messages[*]'] }),
    row(one, 2, { kind: 'content', waited_ms: 180, bytes: content, paths: ['messages[*].content[*]'] }),
    row(one, 3, { kind: 'text', waited_ms: 270, bytes: ofText, paths: ['messages[*].content[*].text'] }),
    row(two, 1, { kind: 'text', waited_ms: 95, bytes: 21, paths: [] }),
  ]);
  await writeFile(at('list'), `${one}\n${two}\n`);
  expect((await runTool('stats', '--per-update', '--files-from', at('list'))).out).toBe(out);
});

test('--per-update names captures that cannot be used, and ends with 2; the others have their rows', async () => {
  const at = await temporaryFolder();
  const broken = await writeCapture(at('broken.parley.jsonl'), SHORT);
  await writeFile(broken, 'no JSON\n{}\n', { flag: 'a' });
  const good = await writeCapture(at('good.parley.jsonl'), SHORT);
  const { status, out, err } = await runTool('stats', '--per-update', at(''));
  expect({ status, err }).toEqual({ status: 2, err: `unusable ${broken}:7: is not JSON\n` });
  expect(rowsOf(out)).toMatchObject([1, 2, 3].map((update) => ({ capture: good, update })));
});

test.each([
  [['a', 'b'], 'stats takes one capture; name several with --per-update\n'],
  [['a', '--format', 'ndjson'], '--format and --files-from are for --per-update\n'],
  [['a', '--per-update', '--format', 'csv'], '--format takes ndjson\n'],
  [['a', '--per-update', '--json'], expect.stringMatching(/^--json and --over are about one capture.*\n$/)],
])('refuses the arguments %j in one line, with status 2', async (args, err) => {
  expect(await runTool('stats', ...args)).toEqual({ status: 2, out: '', err });
});
