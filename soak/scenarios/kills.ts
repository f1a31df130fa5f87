import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appendFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { WebSocket } from 'ws';
import { PLATFORM_FILE } from '#platform/startPlatform.ts';
import { readStoredPlatform } from '#platform/testing/readStoredPlatform.ts';
import { checkKilled, checkRestarted, receivedIds, signInByBridge } from '../harness/dataFolder.ts';
import { startActivity } from '../harness/dataFolder.ts';
import {
  type Messenger,
  createDataFolder,
  startMessenger,
  startPrinting,
} from '../harness/startMessenger.ts';
import { openPage, waitForView } from '../harness/openPage.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const BUSY_MS = 600;

/** A messenger with the built-in platform that is killed at random moments while a person is busy. */
export const kills = scenario({
  name: 'kills',
  sentence:
    'The messenger is killed at random moments of activity; every file is whole, and the next start works.',
  short: { kills: 6 },
  long: { kills: 200 },
  async run(soak, { kills: count }) {
    const dataDir = createDataFolder(soak);
    const options = { dataDir, env: { PARLEY_CAPTURE: '1', PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '1000000' } };
    let messenger = await startMessenger(soak, options);
    const { page } = await openPage(soak, messenger.url);
    let slowest = 0;
    let lost = 0;
    for (let kill = 0; kill < count; kill++) {
      soak.showProgress(`kill ${kill + 1} of ${count}`);
      if ((await waitForView(page)) === 'login') await signInByBridge(page);
      await startActivity(page, Math.floor(soak.random() * 1e6));
      await pause(soak.random() * BUSY_MS);
      await messenger.kill();

      checkKilled(soak, dataDir);
      lost += countMissing(dataDir, await receivedIds(page));
      const start = performance.now();
      messenger = await startMessenger(soak, options);
      slowest = Math.max(slowest, performance.now() - start);
      checkRestarted(soak, dataDir);
      await page.goto(messenger.url);
    }
    soak.addFigure('kills', count, '');
    soak.addFigure('slowest start after a kill', slowest, 'ms');
    soak.check(
      'no message that a window has received is lost by the built-in platform',
      lost === 0,
      `${lost} lost`,
    );
    soak.check('the last messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});

/** Counts the ids that the platform's file does not contain. */
function countMissing(dataDir: string, ids: readonly string[]): number {
  const accounts = readStoredPlatform(join(dataDir, PLATFORM_FILE));
  const stored = new Set(accounts.flatMap(({ messages }) => messages.map(({ id }) => id)));
  return ids.filter((id) => !stored.has(id)).length;
}

const callsSchema = z.array(z.string());

/** A kill at each file system call while an account, the platform's file and the preferences are written. */
export const killPoints = scenario({
  name: 'kill-points',
  sentence:
    'The messenger is killed at each file system call of a sign-in; every file is whole, and the next start works.',
  short: { most: 8 },
  long: { most: 200 },
  async run(soak, { most }) {
    const { page, calls } = await recordCalls(soak);
    soak.check('a sign-in writes files', calls.length > 10, calls.join(' '));
    const points =
      calls.length <= most ? calls.map((_, index) => index + 1) : sample(soak, calls.length, most);
    for (const point of points) {
      soak.showProgress(`call ${point} of ${calls.length}: ${calls[point - 1]}`);
      const dataDir = createDataFolder(soak);
      const messenger = await startWithHook(soak, dataDir);
      await page.goto(messenger.url);
      await waitForView(page);
      await messenger.evaluate(`soakKill.arm(${point})`);
      const acting = act(page).catch(() => undefined);
      await soak.waitFor('the process is killed at its call', 10, () => messenger.ended.then(() => true));
      await acting;
      checkKilled(soak, dataDir);

      const next = await startMessenger(soak, { dataDir });
      checkRestarted(soak, dataDir);
      await page.goto(next.url);
      await soak.waitFor('the window is signed in or signed out', 10, () => waitForView(page));
      await next.kill();
    }
    soak.addFigure('calls', calls.length, '');
    soak.addFigure('kills', points.length, '');
  },
});

/** Signs in with the built-in platform and changes a preference: both write files. */
async function act(page: Page): Promise<void> {
  await signInByBridge(page);
  const change = { type: 'preferences/changed', payload: { theme: 'dark' } };
  await page.evaluate((action) => window.parleyTools.send('action', action), change);
}

/** Starts a messenger that the hook may kill. */
const startWithHook = (soak: Soak, dataDir: string): Promise<Messenger> =>
  startMessenger(soak, { dataDir, hooks: ['killAtCall'], env: { SOAK_KILL_FOLDER: dataDir }, mayEnd: true });

/** Signs in without a kill. Returns the names of the file system calls. */
async function recordCalls(soak: Soak): Promise<{ readonly page: Page; readonly calls: readonly string[] }> {
  const messenger = await startWithHook(soak, createDataFolder(soak));
  const { page } = await openPage(soak, messenger.url);
  await messenger.evaluate('soakKill.arm(0)');
  await act(page);
  const calls = await soak.waitFor('the preference is written', 10, async () => {
    const made = callsSchema.parse(await messenger.evaluate('soakKill.calls()'));
    return made.length > 10 ? made : undefined;
  });
  await messenger.kill();
  return { page, calls };
}

/** Returns `count` different numbers from 1 to `most`, in order. */
function sample({ random }: Soak, most: number, count: number): readonly number[] {
  const left = Array.from({ length: most }, (_, index) => index + 1);
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1))
    .flat()
    .sort((a, b) => a - b);
}

const ADA = { email: 'ada@example.org', password: 'walk2sea!', name: 'Ada Lovelace' };
const READY = /^The platform is ready at (?<url>\S+)$/m;
const PLATFORM_BUSY_MS = 300;
/** The rest of a failed write at the end of the database's log, longer than what replaces it. */
const PARTIAL_WRITE = 'half of a write'.repeat(100_000);
/** After this number of messages the platform has written again. */
const AFTER_FAILURE = 50;

const messageSchema = z.object({ id: z.string() });
const snapshotSchema = z.object({ messages: z.array(z.object({ id: z.string().optional() })) });

/** A built-in platform that is killed while it receives messages. */
export const platformKills = scenario({
  name: 'platform-kills',
  sentence:
    'The built-in platform is killed while it receives messages; after a restart it has each message that it has sent.',
  short: { kills: 5 },
  long: { kills: 100 },
  async run(soak, { kills: count }) {
    const dataDir = createDataFolder(soak);
    let platform = await startPlatformProgram(soak, dataDir);
    const account = await authenticate(platform.url, ADA);
    let received = 0;
    let lost = 0;
    for (let kill = 0; kill < count; kill++) {
      soak.showProgress(`kill ${kill + 1} of ${count}`);
      const client = await connect(platform.url, account);
      const timer = setInterval(() => client.sendText(`message ${kill}`), 2);
      await soak.waitFor('messages come', 10, () => client.ids().length > 0);
      appendFileSync(join(dataDir, 'platform.sqlite-wal'), PARTIAL_WRITE);
      const since = client.ids().length;
      await soak.waitFor(
        'messages come after a failed write',
        10,
        () => client.ids().length >= since + AFTER_FAILURE,
      );
      await pause(soak.random() * PLATFORM_BUSY_MS);
      await platform.kill();
      clearInterval(timer);
      checkKilled(soak, dataDir);

      platform = await startPlatformProgram(soak, dataDir);
      checkRestarted(soak, dataDir);
      const next = await connect(platform.url, account);
      const kept = new Set(await next.snapshot);
      // The platform sends the newest messages of a long conversation only.
      const expected = client.ids().slice(-50);
      received += client.ids().length;
      lost += expected.filter((id) => !kept.has(id)).length;
      next.close();
    }
    soak.addFigure('kills', count, '');
    soak.addFigure('messages', received, '');
    soak.check('no message that was sent is lost', lost === 0, `${lost} lost`);
    soak.check(
      'a wrong password is still refused',
      (await authenticate(platform.url, { ...ADA, name: '', password: 'wrong1!' })) === '',
    );
  },
});

const startPlatformProgram = (soak: Soak, dataDir: string) =>
  startPrinting(soak, {
    argv: ['platform/platform.js', '--port', '0', '--data-dir', dataDir],
    address: READY,
    // The scenario sends 500 messages a second.
    env: { PARLEY_PLATFORM_MESSAGES_PER_MINUTE: '1000000' },
  });

/** Registers or signs in. Returns the account's identifier; empty when refused. */
async function authenticate(url: string, credentials: typeof ADA): Promise<string> {
  const answer = await fetch(`${url}/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return answer.ok ? (await answer.text()).replaceAll('"', '') : '';
}

/** Connects a client that keeps the ids of the snapshot and of the messages after it. */
async function connect(url: string, account: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/${encodeURIComponent(account)}`);
  const ids: string[] = [];
  // A close event follows.
  socket.on('error', () => {});
  const snapshot = new Promise<readonly string[]>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const frame: unknown = JSON.parse(data.toString());
      const { success, data: whole } = snapshotSchema.safeParse(frame);
      const message = messageSchema.safeParse(frame).data;
      if (success) resolve(whole.messages.flatMap(({ id }) => id ?? []));
      else if (message !== undefined) ids.push(message.id);
    });
  });
  await snapshot;
  return {
    snapshot,
    ids: () => ids,
    sendText(text: string) {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ category: 'text', text, blob: null }));
    },
    close: () => socket.terminate(),
  };
}
