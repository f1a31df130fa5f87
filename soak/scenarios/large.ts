import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { ARRIVALS_SCRIPT, receivedCharacters, receivedWhenShown } from '../harness/arrivals.ts';
import { numbered } from '../harness/frames.ts';
import type { Messenger } from '../harness/messenger.ts';
import { newestShown, openPage } from '../harness/pages.ts';
import { startSignedIn } from '../harness/platforms.ts';
import { resetPeak } from '../harness/processMemory.ts';
import { type Soak, scenario } from '../scenario.ts';

const FILE_CHARACTERS = 1_000_000;
/** Messages before the files: 10 MB of text. */
const TEXTS = 2000;
const TEXT_CHARACTERS = 5000;
const OPEN_SECONDS = 10;
/** The rest of the program, which is there without a conversation. */
const PROGRAM_MB = 60;
/** A part of a conversation has about 1 MB. */
const FRAME_MB = 3;
/** The text, and what is left of it from a state that was fetched before. */
const TOTAL_MB = 30;
/** When no more than this comes in this time, a window has everything. */
const SETTLED_CHARACTERS = 100_000;
const SETTLED_MS = 1000;

/** Conversations with many large files, opened in a window. */
export const large = scenario({
  name: 'large',
  sentence:
    'Conversations of 100, 140 and 300 MB open in the window, and again after a reload and after a reconnect.',
  short: { megabytes: [140] },
  long: { megabytes: [100, 140, 300] },
  async run(soak, { megabytes }) {
    for (const size of megabytes) {
      soak.progress(`${size} MB`);
      const { messenger, socket, nextSocket } = await startSignedIn(soak);
      await receive(soak, socket, size);
      await pause(500);

      let start = performance.now();
      const { page, errors, frameLengths } = await openPage(soak, messenger.url, ARRIVALS_SCRIPT);
      await shows(soak, page, TEXTS + size);
      soak.figure(`${size} MB: opened after`, performance.now() - start, 'ms');
      await checkNewestFirst(soak, page, { what: 'a fetched state', newest: TEXTS + size, before: 0 });
      await receivedInParts(soak, 'a fetched state', () => frameLengths);

      const reloadedAt = frameLengths.length;
      await messenger.settledMemory();
      const { resident, peak } = messenger.memory();
      soak.figure(`${size} MB: peak`, peak, 'MB');
      resetPeak(messenger.pid);
      start = performance.now();
      await page.reload();
      await shows(soak, page, TEXTS + size);
      soak.figure(`${size} MB: reloaded after`, performance.now() - start, 'ms');
      await receivedInParts(soak, 'a fetched state', () => frameLengths.slice(reloadedAt));
      checkReload(soak, messenger.memory().peak - resident, size);
      await checkMemory(soak, messenger, size);

      const [frames, before] = [frameLengths.length, await receivedCharacters(page)];
      socket.terminate();
      await receive(soak, await nextSocket(), size + 1);
      await shows(soak, page, TEXTS + size + 1);
      await checkNewestFirst(soak, page, { what: 'a live snapshot', newest: TEXTS + size + 1, before });
      await receivedInParts(soak, 'a live snapshot', () => frameLengths.slice(frames));
      soak.check('the window has no uncaught error', errors.length === 0, errors.slice(0, 3).join(' | '));
      await page.context().close();
      await messenger.kill();
    }
  },
});

const shows = (soak: Soak, page: Page, newest: number) =>
  soak.within(
    `the newest message is shown within ${OPEN_SECONDS} s`,
    OPEN_SECONDS,
    async () => (await newestShown(page)) === newest,
  );

const sumOf = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length, 0);

/** Waits until a window has the whole conversation; the lengths are of the frames that it has received. */
async function receivedInParts(soak: Soak, what: string, lengths: () => readonly number[]): Promise<void> {
  await soak.within(
    `the window receives all of ${what} within 30 s`,
    30,
    () => sumOf(lengths()) > TEXTS * TEXT_CHARACTERS,
  );
  for (let last = 0; sumOf(lengths()) > last + SETTLED_CHARACTERS;) {
    last = sumOf(lengths());
    await pause(SETTLED_MS);
  }
  const total = sumOf(lengths()) / 1e6;
  soak.check(
    `the window receives less than ${TOTAL_MB} MB of ${what}, without the files`,
    total < TOTAL_MB,
    `${total.toFixed(1)} MB`,
  );
  const largest = Math.max(...lengths()) / 1e6;
  soak.check(
    `the window receives ${what} in parts of less than ${FRAME_MB} MB`,
    largest < FRAME_MB,
    `${largest.toFixed(1)} MB`,
  );
}

interface Arrival {
  readonly what: string;
  /** The number of the newest message. */
  readonly newest: number;
  /** Characters that the page had received when it began. */
  readonly before: number;
}

/** Asserts that the newest message is on the screen when most of the conversation has not arrived. */
async function checkNewestFirst(soak: Soak, page: Page, { what, newest, before }: Arrival): Promise<void> {
  const received = ((await receivedWhenShown(page, `m${newest}`)) - before) / 1e6;
  soak.check(
    `the window shows the newest messages of ${what} before half of it has arrived`,
    received < (TEXTS * TEXT_CHARACTERS) / 2e6,
    `${received.toFixed(1)} MB`,
  );
}

function checkReload(soak: Soak, rise: number, size: number): void {
  soak.figure(`${size} MB: rise of the peak at a reload`, rise, 'MB');
  soak.check(
    'a reload costs main no second copy of the conversation',
    rise < size / 2,
    `${rise.toFixed(0)} MB of ${size} MB`,
  );
}

async function checkMemory(soak: Soak, messenger: Messenger, size: number): Promise<void> {
  const { held } = await messenger.settledMemory();
  const { resident } = messenger.memory();
  soak.figure(`${size} MB: held by main, settled`, held, 'MB');
  soak.figure(`${size} MB: resident`, resident, 'MB');
  for (const [what, value] of [
    ['holds', held],
    ['has resident', resident],
  ] as const)
    soak.check(
      `main ${what} less than 1.5 times the conversation`,
      value < 1.5 * size + PROGRAM_MB,
      `${value.toFixed(0)} MB of ${size} MB`,
    );
}

/** Sends a conversation of texts and that many files of 1 MB in one snapshot; it has been received when it resolves. */
async function receive(soak: Soak, socket: PlatformSocket, files: number): Promise<void> {
  const blob = Buffer.alloc((FILE_CHARACTERS * 3) / 4, soak.seed).toString('base64');
  const messages = Array.from({ length: TEXTS + files }, (_, index) => {
    const message = numbered(index + 1, TEXT_CHARACTERS);
    if (index < TEXTS) return message;
    return { ...message, content: [{ category: 'file', text: `${index + 1}.bin`, html: null, blob }] };
  });
  socket.send({ person: 'Ada Lovelace', messages });
  await soak.within('the snapshot is received within 30 s', 30, () => socket.ping().then(() => true));
}
