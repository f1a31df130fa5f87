import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { type Plugin, rolldown } from 'rolldown';
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
    const server = await startServer(await bundle('bench/record/page.ts'), sizes);
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

/** The recorder is a script of its own, so that its time can be measured. */
const recorderApart: Plugin = {
  name: 'recorder-apart',
  resolveId: (id) => (id === '#replay/record.ts' ? { id: '/recorder.js', external: true } : null),
};

type Scripts = Readonly<Record<'recorder' | 'rrweb', string>>;

/** Bundles a module for browsers. */
async function bundle(path: string): Promise<string> {
  const bundled = await rolldown({
    input: join(REPOSITORY, path),
    platform: 'browser',
    logLevel: 'silent',
    plugins: [recorderApart],
  });
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
async function startServer(page: string, { recorder, rrweb }: Scripts) {
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/page.js': ['text/javascript', page],
    '/recorder.js': ['text/javascript', recorder],
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

const KINDS = ['recorder', 'rrweb'] as const;

/** What is measured of one page. */
interface Measured {
  /** The time of the page's main thread in percent: in the code that records, and in all code. */
  readonly percent: number;
  readonly all: number;
  /** How much was recorded, in characters. */
  readonly recorded: number;
  /** How long the recorder works for one message, in microseconds. */
  readonly perMessage: number;
}

const measureRounds = (browser: Browser, url: string, progress: Progress) =>
  runInRounds(
    KINDS.map((kind) => () => measurePage(browser, `${url}?with=${kind}`, `/${kind}.js`)),
    { rounds: ROUNDS, progress },
  );

async function measurePage(browser: Browser, url: string, script: string): Promise<Measured> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  // The beginning, with the snapshot of rrweb, does not count.
  await pause(2000);
  const { percent, all } = await profile(page, script);
  const recorded = Number(await page.evaluate('measureRecorded()'));
  const perMessage = Number(
    await page.evaluate(`measureMessage(${JSON.stringify(JSON.stringify(messageOf(5)))})`),
  );
  await context.close();
  return { percent, all, recorded, perMessage };
}

const SAMPLE_US = 100;

/** Samples the stack of the page's main thread. Returns the share of the time in functions of a script and in what they call, and that in all functions. */
async function profile(page: Page, script: string): Promise<Pick<Measured, 'percent' | 'all'>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.send('Profiler.start');
  await pause(SECONDS * 1000);
  const { nodes, samples = [], timeDeltas = [] } = (await session.send('Profiler.stop')).profile;
  await session.detach();
  const inScript = new Set<number>();
  const parts = new Set<number>();
  for (const { id, callFrame, children = [] } of nodes) {
    if (new URL(callFrame.url || 'about:blank').pathname === script) inScript.add(id);
    // A node comes before its children.
    if (inScript.has(id)) for (const child of children) inScript.add(child);
    if (!['(root)', '(idle)', '(program)'].includes(callFrame.functionName)) parts.add(id);
  }
  const share = (counted: ReadonlySet<number>): number => {
    let time = 0;
    for (const [index, node] of samples.entries()) if (counted.has(node)) time += timeDeltas[index + 1] ?? 0;
    return (100 * time) / timeDeltas.reduce((sum, delta) => sum + delta, 0);
  };
  return { percent: share(inScript), all: share(parts) };
}

const kilobytes = (text: string): string =>
  `${(text.length / 1000).toFixed(1)} kB, ${(gzipSync(text).length / 1000).toFixed(1)} kB gzipped`;

const row = (what: string, value: number, unit: string) => ({ what, value, unit });

function toResult(rounds: readonly (readonly Measured[])[], sizes: Scripts): BenchmarkResult {
  const of = (index: number, field: keyof Measured) =>
    rounds.map((round) => round[index]?.[field] ?? Number.NaN);
  const each = (index: number) =>
    `% (rounds: ${of(index, 'percent')
      .map((value) => value.toFixed(3))
      .join(', ')})`;
  const [recorder, rrweb] = [median(of(0, 'percent')), median(of(1, 'percent'))];
  return {
    rows: [
      row('all scripts of the page with the recorder', median(of(0, 'all')), '% of the main thread'),
      row('the recorder, median', recorder, each(0)),
      row('rrweb, median', rrweb, each(1)),
      row('the recorder’s work for a message in a loop', median(of(0, 'perMessage')), 'µs'),
      row('recorded by the recorder', median(of(0, 'recorded')) / 1000, `kB in ${SECONDS + 2} s`),
      row('recorded by rrweb', median(of(1, 'recorded')) / 1000, `kB in ${SECONDS + 2} s`),
      row('the script of the recorder', sizes.recorder.length / 1000, kilobytes(sizes.recorder)),
      row('the script of rrweb', sizes.rrweb.length / 1000, kilobytes(sizes.rrweb)),
    ],
    targets: [
      { name: 'the recorder, % of a core', measured: recorder, bound: 'at most', limit: 1 },
      {
        name: 'the recorder, as a multiple of rrweb',
        measured: recorder / rrweb,
        bound: 'at most',
        limit: 1,
      },
    ],
  };
}
