import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { type ScriptedPlatform, startPlatform } from '#tests/builders/startPlatform.ts';
import { setUpBrowser } from './harness/workerBrowser.ts';
import { login } from './harness/login.ts';
import { startParley } from './harness/startParley.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { conversationOf } from './harness/signUp.ts';

const CLI = resolve(import.meta.dirname, '../../out/replay/cli.js');
const run = promisify(execFile);
const replay = async (...args: readonly string[]) =>
  (await run(process.execPath, [CLI, ...args], { encoding: 'utf8' })).stdout;

/** The frames that the test’s platform sends before the page sends one, and after. */
const BEFORE: readonly object[] = [
  {
    person: 'Ada Byron',
    messages: [{ id: 'm1', modifier: 'ai', content: [{ category: 'text', text: 'é 😀' }] }],
  },
  { name: 'Ada Lovelace' },
  { id: 'm2', modifier: 'ai', content: [], context: 'Parley', avatar: '', seen: true },
  { category: 'text', text: '' },
  { text: 'rewritten' },
  { ring: true },
];
const SPOKEN = '{"category":"text","text":"hi","blob":null}';
const AFTER: readonly object[] = [
  { id: 'm3', modifier: 'client', content: [{ category: 'text', text: 'hi' }] },
  { context: 'You' },
];

interface Message {
  modifier?: unknown;
  content?: object[];
  context?: string;
}

/** Implements spec §6.1 independently of the app, with mutable objects, as far as these frames need it. */
function foldedByHand(frames: readonly object[]) {
  const state: { person: string | null; messages: Message[] } = { person: null, messages: [] };
  for (const frame of structuredClone(frames)) {
    const last = state.messages.at(-1);
    if ('person' in frame) Object.assign(state, frame);
    else if ('name' in frame) Object.assign(state, { person: frame.name });
    else if ('modifier' in frame) state.messages.push(frame);
    else if ('category' in frame) last?.content?.push(frame);
    else if ('context' in frame) Object.assign(last ?? {}, frame);
    else if ('text' in frame) Object.assign(last?.content?.at(-1) ?? {}, frame);
  }
  return state;
}

const browser = setUpBrowser();
let platform: ScriptedPlatform;
let folder: string;
/** Serves a page from another address on this machine, like a web client’s page. */
const pages = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>A page'));
let pageUrl: string;
beforeAll(async () => {
  pageUrl = `http://127.0.0.1:${await portOf(pages.listen(0, '127.0.0.1'))}/`;
  [platform, folder] = await Promise.all([startPlatform(), mkdtemp(join(tmpdir(), 'parley-har-'))]);
});
afterAll(async () => {
  pages.close();
  await platform.stop();
  await rm(folder, { recursive: true });
});

async function portOf(server: typeof pages): Promise<number> {
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Records a HAR with Playwright of a test page that talks to the platform directly. */
async function recordHar(name: string, recordHar_: Partial<BrowserContextOptions['recordHar']> = {}) {
  const har = join(folder, name);
  const context = await browser().newContext({ recordHar: { path: har, ...recordHar_ } });
  const page = await context.newPage();
  await page.goto(pageUrl);
  const socket = platform.sockets.next();
  const received = page.evaluate(
    ({ url, before, all, spoken }) =>
      new Promise<number>((done) => {
        const line = new WebSocket(url);
        let count = 0;
        line.addEventListener('message', () => {
          count += 1;
          if (count === before) line.send(spoken);
          if (count === all) line.close(1000, 'logout');
        });
        line.addEventListener('close', () => done(count));
      }),
    {
      url: `${platform.platformUrl}/account-of-ada`,
      before: BEFORE.length,
      all: BEFORE.length + AFTER.length,
      spoken: SPOKEN,
    },
  );
  for (const frame of BEFORE) (await socket).send(frame);
  expect(await (await socket).frames.next()).toBe(SPOKEN);
  for (const frame of AFTER) (await socket).send(frame);
  expect(await received).toBe(BEFORE.length + AFTER.length);
  await context.close();
  return har;
}

describe('a HAR that Playwright records of a page that talks to a platform', () => {
  it.each([
    ['embedded', {}, /"_webSocketMessages":\[\{"type":"receive","time":\d{13}/],
    ['attached, beside the HAR', { content: 'attach' }, /"_file":"[^"]+\.jsonl"/],
    ['without times', { mode: 'minimal' }, /"time":-1,"opcode":1/],
  ] as const)(
    'with messages %s replays to the state that the test’s own fold computes',
    async (name, options, written) => {
      const har = await recordHar(`${name.slice(0, 4)}.har`, options);
      expect(await readFile(har, 'utf8')).toMatch(written);
      const done: unknown = JSON.parse(
        await replay('run', har, '--json', '--with', 'conversation,notifications'),
      );
      expect(done).toMatchObject({
        frames: { received: 8, sent: 1, rejected: 0 },
        updates: { applied: 8, ignored: 0 },
        conversation: foldedByHand([...BEFORE, ...AFTER]),
        notifications: [{ title: 'Parley', body: 'rewritten' }],
      });
    },
  );
});

/** Starts a command that runs until `stop`; resolves to the addresses of its ready line. */
async function running(args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { out: '', err: '' };
  const addresses = () =>
    Object.fromEntries(
      `${printed.out}${printed.err}`.match(/PARLEY_\w+=\S+/g)?.map((one) => one.split('=')) ?? [],
    );
  const env = await new Promise<Record<string, string>>((ready, reject) => {
    const collect = (to: keyof typeof printed) => (text: Buffer) => {
      printed[to] += text.toString();
      if (printed[to].includes('PARLEY_PLATFORM_URL')) ready(addresses());
    };
    child.stdout?.on('data', collect('out'));
    child.stderr?.on('data', collect('err'));
    child.once('exit', () => reject(new Error(printed.err)));
  });
  return {
    env,
    /** Sends SIGTERM; resolves to the exit code and the complete output. */
    async stop() {
      const asked = performance.now();
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(performance.now() - asked).toBeLessThan(2000);
      return { code: child.exitCode, ...printed };
    },
  };
}

test('serves an imported HAR to the real messenger, which shows the conversation', async () => {
  const har = await recordHar('served.har');
  await replay('import', har);
  const serve = await running(['serve', har.replace('.har', '.parley.jsonl'), '--speed', 'max']);
  const parley = await startParley({ env: serve.env });
  onTestFinished(async () => void (await parley.stop()));
  const page = await browser().newPage();
  await page.goto(parley.url);
  await login(page);
  await conversationOf(page).getByText('rewritten', { exact: true }).waitFor();
  expect(await conversationOf(page).getByRole('article').count()).toBe(2);
  await sendMessage(page, 'hi');
  await conversationOf(page).getByText('You', { exact: true }).waitFor();
  const articles = conversationOf(page).getByRole('article');
  expect(await articles.evaluateAll((all) => all.map((one) => one.dataset.messageId))).toEqual([
    'm1',
    'm2',
    'm3',
  ]);
  expect(await serve.stop()).toEqual({
    code: 0,
    out: expect.stringMatching(/^\S+ is served: PARLEY_API_URL=\S+ PARLEY_PLATFORM_URL=\S+\n$/),
    err: expect.stringContaining(
      'of 1 recorded frames of the client, 1 were received as recorded, 0 differed',
    ),
  });
});

test('contract §7 record: records the messenger’s connection to a capture that replays to what it showed', async () => {
  const captures = join(folder, 'captures');
  const { apiUrl, platformUrl } = platform;
  const recorder = await running([
    'record',
    '--listen',
    '0',
    '--upstream',
    platformUrl,
    '--api',
    apiUrl,
    '-o',
    captures,
  ]);
  const parley = await startParley({ env: recorder.env });
  onTestFinished(async () => void (await parley.stop()));
  platform.auth.answer({ body: 'account-of-ada' });
  const page = await browser().newPage();
  await page.goto(parley.url);
  const socket = platform.sockets.next();
  await login(page);
  for (const frame of BEFORE) (await socket).send(frame);
  await conversationOf(page).getByText('rewritten', { exact: true }).waitFor();
  await sendMessage(page, 'hi');
  expect(await (await socket).frames.next()).toBe(SPOKEN);
  const { code, out, err } = await recorder.stop();
  expect(code).toBe(0);
  const capture = /recorded in (?<path>\S+)/.exec(err)?.groups?.path ?? '';
  expect(await readFile(capture, 'utf8')).not.toContain('account-of-ada');
  expect(`${out}${err}`).not.toContain('account-of-ada');
  expect(JSON.parse(await replay('run', capture, '--json', '--with', 'conversation'))).toMatchObject({
    frames: { received: 6, sent: 1, rejected: 0 },
    conversation: foldedByHand(BEFORE),
  });
});

test('exits with status 1 and a report on stdout after a frame that was not recorded', async () => {
  const har = await recordHar('differs.har');
  const serve = await running(['serve', har, '--speed', 'max', '--json']);
  const page = await browser().newPage();
  await page.goto(pageUrl);
  await page.evaluate(
    (url) =>
      new Promise<void>((done) => {
        const line = new WebSocket(url);
        let count = 0;
        line.addEventListener('open', () => line.send('{"category":"text","text":"other","blob":null}'));
        line.addEventListener('message', () => {
          count += 1;
          if (count === 8) done();
        });
      }),
    `${serve.env.PARLEY_PLATFORM_URL}/any`,
  );
  const { code, out, err } = await serve.stop();
  expect(code).toBe(1);
  expect(err).toContain('frame 1 of the client differs: text: recorded "hi", got "other"');
  expect(JSON.parse(out)).toMatchObject({
    capture: har,
    connections: { recorded: 1, played: 0 },
    frames: { recorded: 1, received: 1, same: 0, different: 1, extra: 0, missing: 0 },
  });
});
