import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { ARRIVALS_SCRIPT, numberedMessage, receivedCharacters } from '../harness/frames.ts';
import { receivedWhenShown } from '../harness/frames.ts';
import { type Messenger, startSignedIn } from '../harness/startMessenger.ts';
import { type OpenPage, openPage, showsNewest } from '../harness/openPage.ts';
import { resetPeak } from '../harness/memory.ts';
import { type Soak, scenario } from '../run/scenario.ts';

const FILE_CHARACTERS = 1_000_000;
/** Messages before the files: 10 MB of text. */
const TEXTS = 2000;
const TEXT_CHARACTERS = 5000;
const OPEN_SECONDS = 10;
/** Memory of the program without a conversation. */
const PROGRAM_MB = 60;
/** Maximum size of a frame; a part of a conversation has about 1 MB. */
const FRAME_MB = 3;
/** The text, twice: a page may fetch parts that a new snapshot replaces. */
const TOTAL_MB = 30;
/** When a window receives no more than this in `SETTLED_MS`, it has everything. */
const SETTLED_CHARACTERS = 100_000;
const SETTLED_MS = 1000;

/** Windows that open conversations with many large files. */
export const large = scenario({
  name: 'large',
  sentence:
    'Conversations of 100, 140 and 300 MB open in the window, and again after a reload and after a reconnect.',
  short: { megabytes: [140] },
  long: { megabytes: [100, 140, 300] },
  async run(soak, { megabytes }) {
    for (const size of megabytes) {
      soak.showProgress(`${size} MB`);
      const { messenger, socket, nextSocket } = await startSignedIn(soak);
      await receive(soak, socket, size);
      await pause(500);

      soak.addFigure(`${size} MB: peak when it is received`, messenger.memory().peak, 'MB');
      const opened = await openTwice(soak, messenger, size);
      const { page, errors, frameLengths } = opened;
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

/** Opens the conversation in a page, and reloads the page. */
async function openTwice(soak: Soak, messenger: Messenger, size: number): Promise<OpenPage> {
  const newest = TEXTS + size;
  const opened = await withoutCopy(soak, { messenger, what: 'opened', size }, async () => {
    const open = await openPage(soak, messenger.url, ARRIVALS_SCRIPT);
    await shows(soak, open.page, newest);
    return open;
  });
  const { page, frameLengths } = opened;
  await checkNewestFirst(soak, page, { what: 'a fetched state', newest, before: 0 });
  await receivedInParts(soak, 'a fetched state', () => frameLengths);
  const frames = frameLengths.length;
  await withoutCopy(soak, { messenger, what: 'reloaded', size }, async () => {
    await page.reload();
    await shows(soak, page, newest);
  });
  await receivedInParts(soak, 'a fetched state', () => frameLengths.slice(frames));
  return opened;
}

interface Opening {
  readonly messenger: Messenger;
  readonly what: 'opened' | 'reloaded';
  /** Size of the conversation in MB. */
  readonly size: number;
}

/** Measures how long an opening takes. Asserts that main makes no copy of the conversation for it, also when it fails. */
async function withoutCopy<T>(
  soak: Soak,
  { messenger, what, size }: Opening,
  open: () => Promise<T>,
): Promise<T> {
  await messenger.settledMemory();
  const { resident } = messenger.memory();
  resetPeak(messenger.pid);
  const start = performance.now();
  try {
    return await open();
  } finally {
    soak.addFigure(`${size} MB: ${what} after`, performance.now() - start, 'ms');
    const rise = messenger.memory().peak - resident;
    soak.addFigure(`${size} MB: rise of memory when it is ${what}`, rise, 'MB');
    soak.check(
      `main makes no copy of the conversation when it is ${what}`,
      rise < size / 2,
      `${rise.toFixed(0)} MB of ${size} MB`,
    );
  }
}

const shows = (soak: Soak, page: Page, newest: number) =>
  soak.waitFor(
    `the newest message is shown within ${OPEN_SECONDS} s`,
    OPEN_SECONDS,
    showsNewest(page, newest),
  );

const sumOf = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length, 0);

/** Waits until a window has the whole conversation. `lengths` returns the lengths of the frames that it has received. */
async function receivedInParts(soak: Soak, what: string, lengths: () => readonly number[]): Promise<void> {
  await soak.waitFor(
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
  /** Characters that the page had received before. */
  readonly before: number;
}

/** Asserts that the newest message is in the document before half of the conversation has arrived. */
async function checkNewestFirst(soak: Soak, page: Page, { what, newest, before }: Arrival): Promise<void> {
  const received = ((await receivedWhenShown(page, `m${newest}`)) - before) / 1e6;
  soak.check(
    `the window shows the newest messages of ${what} before half of it has arrived`,
    received < (TEXTS * TEXT_CHARACTERS) / 2e6,
    `${received.toFixed(1)} MB`,
  );
}

async function checkMemory(soak: Soak, messenger: Messenger, size: number): Promise<void> {
  const { held } = await messenger.settledMemory();
  const { resident } = messenger.memory();
  soak.addFigure(`${size} MB: held by main, settled`, held, 'MB');
  soak.addFigure(`${size} MB: resident`, resident, 'MB');
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

/** Sends a snapshot with texts and files of 1 MB. Resolves when the messenger has received it. */
async function receive(soak: Soak, socket: PlatformSocket, files: number): Promise<void> {
  const blob = Buffer.alloc((FILE_CHARACTERS * 3) / 4, soak.seed).toString('base64');
  const messages = Array.from({ length: TEXTS + files }, (_, index) => {
    const message = numberedMessage(index + 1, TEXT_CHARACTERS);
    if (index < TEXTS) return message;
    return { ...message, content: [{ category: 'file', text: `${index + 1}.bin`, html: null, blob }] };
  });
  socket.send({ person: 'Ada Lovelace', messages });
  await soak.waitFor('the snapshot is received within 30 s', 30, () => socket.ping().then(() => true));
}
