import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { answersPing, callAtRate, numberedMessage } from '../harness/frames.ts';
import { openPage, showsNewest } from '../harness/openPage.ts';
import { type SignedIn, startSignedIn } from '../harness/startMessenger.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const PER_SECOND = 100_000;
const BATCHES_PER_SECOND = 200;
/** The flood pauses while more than this waits in the platform's socket. In bytes. */
const MAX_BUFFERED = 1024 * 1024;
/** It is twenty times as large in memory as on the wire. */
const EMPTY_OBJECTS = JSON.stringify({ a: Array.from({ length: 300 }, () => ({})) });
/** Number of frames that occupy 200 MB: enough to see whether memory is bounded, also on a slow machine. */
const EMPTY_OBJECTS_FRAMES = 10_000;
/** A messenger that reads nothing for this time has paused its socket. */
const PAUSED_MS = 3000;
const MAX_MS = 60_000;
const REJECTED = '{"modifier":1}';
const BURSTS = 5;
const BURST_FRAMES = 30_000;
/** The messenger reads a burst in several iterations of the event loop, so timers wait less than this. */
const WAIT_MS = 200;
const HELD_MB = 90;
const LOG_MB = 1;

/** A platform that sends as fast as it can: first rejected frames, then frames that need more memory than bytes. */
export const flood = scenario({
  name: 'flood',
  sentence:
    'The platform sends 100,000 frames a second; memory and the log stay bounded, and the messenger answers.',
  short: { seconds: 4, frames: 600_000 },
  long: { seconds: 60, frames: 3_000_000 },
  async run(soak, { seconds, frames }) {
    const signedIn = await startSignedIn(soak);
    const { messenger, socket } = signedIn;
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const before = (await messenger.settledMemory()).held;

    await checkTimers(soak, signedIn);
    const flooded = { soak, page, signedIn, seconds };
    await floodWith({ ...flooded, name: 'rejected frames', frame: REJECTED, minFrames: 0, frames });
    const empty = { frame: EMPTY_OBJECTS, minFrames: EMPTY_OBJECTS_FRAMES };
    await floodWith({ ...flooded, name: 'updates of empty objects', ...empty, frames });

    const held = (await messenger.settledMemory()).held - before;
    const log = statSync(join(messenger.dataDir, 'logs', 'parley.log')).size / 1e6;
    soak.addFigure('held afterwards', held, 'MB');
    soak.addFigure('peak of resident memory', messenger.memory().peak, 'MB');
    soak.addFigure('log', log, 'MB');
    soak.check(`at most ${HELD_MB} MB are held`, held < HELD_MB, `${held.toFixed(0)} MB`);
    soak.check(`the log is smaller than ${LOG_MB} MB`, log < LOG_MB, `${log.toFixed(2)} MB`);
  },
});

/** Measures how long timers of the main process wait during bursts of rejected frames: the median of the longest times. */
async function checkTimers(soak: Soak, { messenger, socket }: SignedIn): Promise<void> {
  await messenger.evaluate(`{
    let last = performance.now();
    globalThis.soakLongest = 0;
    setInterval(() => {
      const now = performance.now();
      soakLongest = Math.max(soakLongest, now - last);
      last = now;
    }, 5).unref();
    undefined;
  }`);
  const longest: number[] = [];
  for (let burst = 0; burst < BURSTS; burst++) {
    await messenger.evaluate('soakLongest = 0');
    for (let frame = 0; frame < BURST_FRAMES; frame++) socket.sendText(REJECTED);
    await soak.waitFor('a burst is read within 30 s', 30, () => answersPing(socket, messenger));
    longest.push(Number(await messenger.evaluate('soakLongest')));
  }
  const median = longest.toSorted((a, b) => a - b)[Math.floor(BURSTS / 2)] ?? Infinity;
  soak.addFigure('longest wait of other work in a burst, median', median, 'ms');
  soak.check(
    `other work waits for less than ${WAIT_MS} ms in a burst`,
    median < WAIT_MS,
    longest.map((ms) => ms.toFixed(0)).join(' '),
  );
}

interface Flood {
  readonly soak: Soak;
  readonly page: Page;
  readonly signedIn: SignedIn;
  readonly name: string;
  readonly frame: string;
  readonly seconds: number;
  /** The flood continues after `seconds` until this many frames are sent, or the messenger pauses its socket. */
  readonly minFrames: number;
  /** Maximum number of frames. */
  readonly frames: number;
}

/** Sends one frame many times. Asserts that the window and the main process answer during this. */
async function floodWith({
  soak,
  page,
  signedIn,
  name,
  frame,
  seconds,
  minFrames,
  frames,
}: Flood): Promise<void> {
  const { messenger, platform, socket } = signedIn;
  const current = () => platform.sockets.all.at(-1) ?? socket;
  soak.showProgress(name);
  let sent = 0;
  let sentAt = performance.now();
  const stop = callAtRate(BATCHES_PER_SECOND, () => {
    if (sent >= frames || current().waiting() > MAX_BUFFERED) return;
    for (let each = 0; each < PER_SECOND / BATCHES_PER_SECOND; each++) current().sendText(frame);
    sent += PER_SECOND / BATCHES_PER_SECOND;
    sentAt = performance.now();
  });
  soak.defer(stop);
  let slowest = 0;
  const start = performance.now();
  const passed = () => performance.now() - start;
  const isFlooded = () => sent >= minFrames || performance.now() - sentAt > PAUSED_MS || passed() > MAX_MS;
  while (passed() < seconds * 1000 || !isFlooded()) {
    const asked = performance.now();
    await soak.waitFor(`the window answers within 10 s during ${name}`, 10, () =>
      page.evaluate(() => document.querySelector('main') !== null),
    );
    await soak.waitFor(`the main process answers within 10 s during ${name}`, 10, () =>
      messenger.evaluate('1').then(() => true),
    );
    slowest = Math.max(slowest, performance.now() - asked);
  }
  stop();
  soak.addFigure(`sent, ${name}`, sent, '');
  soak.addFigure(`slowest answer during ${name}`, slowest, 'ms');
  if (name === 'rejected frames') {
    await soak.waitFor(`the messenger has read all ${name} within 30 s`, 30, () =>
      answersPing(current(), messenger),
    );
  }
}
