import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { rolldown } from 'rolldown';
import { WebSocketServer } from 'ws';
import { launchChromium } from '#tests/browser/harness/chromium.ts';
import { callAtRate } from '../../soak/harness/frames.ts';
import {
  type Benchmark,
  type BenchmarkResult,
  type Progress,
  median,
  runInRounds,
} from '../base/benchmark.ts';

const MESSAGES_PER_SECOND = 40;
const SECONDS = 10;
const ROUNDS = 5;
const REPOSITORY = join(import.meta.dirname, '../..');

/** The recorder of `@parley/replay/record` in a page that receives 40 messages a second, compared with the same page alone, and with rrweb on it. */
export const recordBenchmark: Benchmark = {
  title: `Recording a page with ${MESSAGES_PER_SECOND} messages a second, in Chromium`,
  async run(progress) {
    const sizes = { recorder: await bundle('tools/replay/record.ts'), rrweb: await readRrweb() };
    const server = await startServer(await bundle('bench/record/page.ts'), sizes.rrweb);
    const browser = await launchChromium();
    try {
      const rounds = await measureRounds(browser, server.url, progress);
      return toResult(rounds, sizes);
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

/** Bundles a module for browsers. */
async function bundle(path: string): Promise<string> {
  const bundled = await rolldown({ input: join(REPOSITORY, path), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundled.generate({ format: 'esm', minify: true });
  return output[0].code;
}

/** Reads the minified script of rrweb. */
async function readRrweb(): Promise<string> {
  const main = createRequire(import.meta.filename).resolve('rrweb');
  return readFile(join(main, '..', 'rrweb.umd.min.cjs'), 'utf8');
}

/** A message of an app, of about 400 characters. */
const messageOf = (number: number): object => ({
  type: 'message',
  id: `message-${number}`,
  author: {
    id: `person-${number % 7}`,
    name: `Person ${number % 7}`,
    status: number % 3 ? 'active' : 'away',
  },
  text: `Message ${number}: ${'some words of a person '.repeat(1 + (number % 12))}`,
  reactions: [{ name: 'thumbs up', count: number % 5 }],
  unread: number,
});

/** Starts a server of the page, which sends messages to each socket. */
async function startServer(page: string, rrweb: string) {
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/page.js': ['text/javascript', page],
    '/rrweb.js': [
      'text/javascript',
      `var module={exports:{}},exports=module.exports;${rrweb};globalThis.rrweb??=module.exports`,
    ],
  };
  const html = `<!doctype html><meta charset="utf-8"><title>Messages</title><script src="/rrweb.js"></script><body><script type="module" src="/page.js"></script>`;
  const http = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/html', html];
    response.setHeader('content-type', type);
    response.end(text);
  });
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    let number = 0;
    const stop = callAtRate(MESSAGES_PER_SECOND, () => socket.send(JSON.stringify(messageOf(++number))));
    socket.on('close', stop);
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

const KINDS = ['nothing', 'recorder', 'rrweb'] as const;

/** What is measured of one page. */
interface Measured {
  /** The processor time of the page's process, in percent of a core. */
  readonly percent: number;
  /** How much was recorded, in characters. */
  readonly recorded: number;
  /** How long the recorder works for one message, in microseconds. */
  readonly perMessage: number;
}

const measureRounds = (browser: Browser, url: string, progress: Progress) =>
  runInRounds(
    KINDS.map((kind) => () => measurePage(browser, `${url}?with=${kind}`)),
    { rounds: ROUNDS, progress },
  );

async function measurePage(browser: Browser, url: string): Promise<Measured> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  // The beginning, with the snapshot of rrweb, does not count.
  await pause(2000);
  const before = await measureProcessorTime(browser);
  const start = performance.now();
  await pause(SECONDS * 1000);
  const used = (await measureProcessorTime(browser)) - before;
  const percent = (100 * used) / ((performance.now() - start) / 1000);
  const recorded = Number(await page.evaluate('measureRecorded()'));
  const perMessage = Number(
    await page.evaluate(`measureMessage(${JSON.stringify(JSON.stringify(messageOf(5)))})`),
  );
  await context.close();
  return { percent, recorded, perMessage };
}

/** Returns the processor time of all pages, in seconds. */
async function measureProcessorTime(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

const kilobytes = (text: string): string =>
  `${(text.length / 1000).toFixed(1)} kB, ${(gzipSync(text).length / 1000).toFixed(1)} kB gzipped`;

const row = (what: string, value: number, unit: string) => ({ what, value, unit });

function toResult(
  rounds: readonly (readonly Measured[])[],
  sizes: Readonly<Record<'recorder' | 'rrweb', string>>,
): BenchmarkResult {
  const of = (index: number, field: keyof Measured) =>
    median(rounds.map((round) => round[index]?.[field] ?? Number.NaN));
  const overheads = (index: number) =>
    rounds.map((round) => (round[index]?.percent ?? Number.NaN) - (round[0]?.percent ?? Number.NaN));
  const [recorder, rrweb] = [median(overheads(1)), median(overheads(2))];
  const each = (index: number) =>
    overheads(index)
      .map((value) => value.toFixed(2))
      .join(', ');
  return {
    rows: [
      row('the page alone', of(0, 'percent'), '% of a core'),
      row('more with the recorder, median', recorder, `% of a core (rounds: ${each(1)})`),
      row('more with rrweb, median', rrweb, `% of a core (rounds: ${each(2)})`),
      row('the recorder’s work for a message', of(0, 'perMessage'), 'µs'),
      row('recorded by the recorder', of(1, 'recorded') / 1000, `kB in ${SECONDS + 2} s`),
      row('recorded by rrweb', of(2, 'recorded') / 1000, `kB in ${SECONDS + 2} s`),
      row('the script of the recorder', sizes.recorder.length / 1000, kilobytes(sizes.recorder)),
      row('the script of rrweb', sizes.rrweb.length / 1000, kilobytes(sizes.rrweb)),
    ],
    targets: [
      { name: 'more with the recorder, % of a core', measured: recorder, bound: 'at most', limit: 1 },
      { name: 'more than rrweb, % of a core', measured: recorder - rrweb, bound: 'at most', limit: 0 },
    ],
  };
}
