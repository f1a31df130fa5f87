import type { HandOverAnswer } from './webServer.ts';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import { handOver } from './instance.ts';
import { Instance } from './instance.ts';
import { randomBytes } from 'node:crypto';
import { LOCK_FILE } from '#node/claimDataFolder.ts';

const LEFT = `open-${'x'.repeat(22)}.html`;

/** Starts the first process; returns it with the addresses that it opens in a browser. */
async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-instance-'));
  writeFileSync(join(folder, LEFT), 'of a program that was killed');
  const opened: string[] = [];
  const printed: string[] = [];
  const instance = new Instance({
    serverDeps: {
      random: randomBytes,
      connect: () => ({ onMessage: () => {}, onClose: () => {} }),
      answer: async () => new Response('the page'),
      preload: () => undefined,
      permissionsPolicy: () => '',
    },
    settings: () => ({ port: 0, open: true }),
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
    openBrowser: (url) => opened.push(url),
    secondInstance: () => {},
    pages: () => 0,
    giveUp: () => {},
    pause: async () => {},
  });
  onTestFinished(async () => {
    await instance.stop(0);
    rmSync(folder, { recursive: true });
  });
  instance.takeLock(folder);
  await instance.serve();
  const pages = () => readdirSync(folder).filter((name) => name.endsWith('.html'));
  return { folder, instance, opened, printed, pages };
}

const secondInstance = { argv: [], workingDirectory: '/' };

it('opens a browser with a page of the data folder, and passes no token as an argument', async () => {
  const { folder, opened, pages } = await start();
  expect(opened).toHaveLength(1);
  expect(opened.map((url) => fileURLToPath(url))).toEqual(pages().map((name) => join(folder, name)));
});

it('gives a second process a page with a token to open', async () => {
  const { folder, pages } = await start();
  const { open, ready }: HandOverAnswer = await handOver(join(folder, LOCK_FILE), secondInstance, vi.fn());
  expect(pages().map((name) => join(folder, name))).toContain(fileURLToPath(open ?? ''));
  expect(ready).toMatch(/\?token=[\w-]{43}$/);
});

it('removes the page that a killed program left', async () => {
  const { pages } = await start();
  expect(pages()).not.toContain(LEFT);
});

it('removes its pages when it stops', async () => {
  const { instance, pages } = await start();
  expect(pages()).toHaveLength(1);
  await instance.stop(0);
  expect(pages()).toEqual([]);
});
