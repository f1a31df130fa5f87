import { parleyReports } from '#replay/parley/parleyReports.ts';
import { parleyAdapter } from '#shared/replay/adapter.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Change } from '#replay/diff/valueDiff.ts';
import { createParleyEngine, stateDocument } from '#replay/parley/parley.ts';
import { replayFile } from '#replay/engine/replayFile.ts';
import { continuedEngine } from '#replay/engine/continuedEngine.ts';
import { runTool } from '#replay/testing/files.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { INLINE_BLOB_LENGTH } from '#shared/limits.ts';
import { type SharedState, sharedPart } from '#shared/store/rootReducer.ts';
import { captureTime } from '#shared/capture/captureFormat.ts';
import { sinceLaunch } from '#shared/store/queue.ts';
import { toArray } from '#shared/conversation/vector.ts';
import { readCaptureFile } from '#tests/builders/mainRecorder.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { seededRandom } from '#sim/world/seededRandom.ts';
import { dropFile } from './harness/dropFile.ts';
import { login } from './harness/login.ts';
import { message, snapshot, text } from './harness/message.ts';
import { type MainMoment, READABLE, readMainStore } from './harness/readMainStore.ts';
import { readStoreState } from './harness/readWindowState.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';

/** Random sessions of the real program: main's state at random moments, and that of its windows, are compared with a replay. */
const scripted = setUpScripted({ env: { ...READABLE, PARLEY_CAPTURE: '1' } });

const SEED = 20261123;
const SESSIONS = 7;
const STEPS = 10;

/** Returns a random whole number below a limit. */
type Below = (limit: number) => number;

/** Creates random numbers; those of an event do not depend on how often the state is read meanwhile. */
function randomNumbers(seed: number): Below {
  const random = seededRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

const belowOfTest = randomNumbers(SEED);

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A program with two windows, signed out. */
async function openTwoWindows() {
  const { platform, parley, openSignedOut } = scripted();
  const first = await openSignedOut();
  const main = await readMainStore(parley);
  onTestFinished(main.close);
  const second = await first.context().newPage();
  await second.goto(new URL(parley.url).origin);
  await second.locator('main[data-view="login"]').waitFor();
  const samples: MainMoment[] = [];
  return {
    platform,
    parley,
    main,
    windows: [first, second],
    samples,
    socket: undefined as PlatformSocket | undefined,
    /** Reads main's state now. */
    async read() {
      samples.push(await main.read());
    },
  };
}

type Program = Awaited<ReturnType<typeof openTwoWindows>>;

/** Returns a window by chance. */
const windowOf = ({ windows }: Program, below: Below): Page => {
  const page = windows[below(windows.length)];
  if (page === undefined) throw new Error('no such window');
  return page;
};

/** What main shares with the windows, where a long blob is only its beginning, as in a window. */
const shared = (state: SharedState): unknown =>
  JSON.parse(
    JSON.stringify({
      ...sharedPart(state),
      arrivals: toArray(state.arrivals),
      conversation: toSnapshot(state.conversation),
    }),
    (_, value: unknown) => {
      if (typeof value === 'string' && value.length > INLINE_BLOB_LENGTH) return value.slice(0, 32);
      return typeof value === 'object' && value !== null && 'head' in value ? value.head : value;
    },
  );

/**
 * Reads main's state when it has received all actions of its windows, and they have applied all of its actions. Their shared states must be the
 * same then; main's copies of them are in its state.
 */
async function readTogether({ main, windows, samples }: Program): Promise<void> {
  const { states, moment } = await vi.waitUntil(async () => {
    const read = await Promise.all(windows.map(readStoreState));
    const { state, now } = await main.read();
    // A window stays in main for a while after its page was closed. A new window has the highest number.
    const copies = Object.values(state.windows).map(({ own }) => own);
    copies.splice(2, copies.length - windows.length);
    const isSettled =
      read.every(({ sequence }) => sequence === state.sequence) &&
      JSON.stringify(copies) === JSON.stringify(read.map(({ own }) => own));
    return isSettled ? { states: read, moment: { state, now } } : undefined;
  }, POLLING);
  for (const state of states) expect(shared(state)).toEqual(shared(moment.state));
  samples.push(moment);
}

const FRAMES = [
  (n: number) => message(`m${n}`, [text(`message ${n}`)]),
  (n: number) => message(`m${n}`, [text(`message ${n}`)], { modifier: 'client' }),
  (n: number) => ({ category: 'text', text: `item ${n}`, html: null, blob: null }),
  (n: number) => ({ text: `a longer text ${n}` }),
  () => ({}),
  (n: number) => ({ context: `label ${n}` }),
  (n: number) => ({ name: `Ada ${n}` }),
  (n: number) => ({ person: n }),
  (n: number) =>
    message(`m${n}`, [
      { category: 'file', text: `${n}.bin`, html: null, blob: 'AAAA'.repeat((n * 7919) % 40_000) },
    ]),
];

let frames = 0;

function burst({ socket }: Program, count: number, below: Below): void {
  for (let i = 0; i < count; i++) socket?.send(FRAMES[below(FRAMES.length)]?.(frames++));
}

/** Accepts the next connection of the program. */
async function connected(program: Program, act: () => Promise<unknown>): Promise<void> {
  const next = nextSocket(program.platform);
  await act();
  program.socket = await next();
  for (const page of program.windows) await connect(page, program.socket);
}

/** What happens while the state is read. Buttons are pressed with the keyboard: a notification may cover them. */
const EVENTS: readonly ((program: Program, below: Below) => Promise<void>)[] = [
  async (program, below) => burst(program, 1 + below(15), below),
  async (program, below) => {
    await program.main.blockWhenWaiting(1 + below(5), 50 + below(400));
    burst(program, 6 + below(10), below);
  },
  async (program, below) => {
    burst(program, 3, below);
    await program.main.block(below(450));
    burst(program, 3, below);
  },
  async (program, below) => {
    const page = windowOf(program, below);
    await page.bringToFront();
    await sendMessage(page, `Hello ${below(100)}`);
  },
  async (program, below) => {
    const page = windowOf(program, below);
    await page.bringToFront();
    await page.keyboard.type(`draft ${below(100)}`);
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
  },
  async (program, below) => {
    const page = windowOf(program, below);
    await page.bringToFront();
    await page.keyboard.press('Control+F');
    await page.getByRole('textbox', { name: 'Find' }).fill(`message ${below(10)}`);
    await page.keyboard.press('Escape');
  },
  async (program, below) => {
    const page = windowOf(program, below);
    const content = 'x'.repeat(below(2) === 0 ? 500 : 1_000_000);
    await dropFile(page, { name: 'ada.png', type: 'image/png', content });
    if (content.length < 1000) return;
    await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).press('Enter');
  },
  (program) => connected(program, async () => program.socket?.terminate()),
  (program, below) =>
    connected(program, async () => {
      program.socket?.close(1000, 'maintenance');
      await windowOf(program, below).getByRole('button', { name: 'Reconnect', exact: true }).press('Enter');
    }),
  async (program, below) => {
    const page = windowOf(program, below);
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Settings…' }).press('Enter');
    const settings = page.getByRole('dialog', { name: 'Settings' });
    await settings.getByRole('radio', { name: below(2) === 0 ? 'Dark' : 'Light' }).press(' ');
    await settings.getByRole('button', { name: 'Close' }).press('Enter');
  },
  async ({ windows, parley }) => {
    const [first, , third] = windows;
    if (third !== undefined) {
      windows.pop();
      return third.close();
    }
    const page = await first?.context().newPage();
    await page?.goto(new URL(parley.url).origin);
    await page?.locator('main[data-view="conversation"]').waitFor();
    if (page !== undefined) windows.push(page);
  },
  async (program, below) => {
    const page = windowOf(program, below);
    await page.getByRole('log').evaluate((log, top) => log.scrollTo({ top }), below(500));
  },
];

/** Lets something happen, and meanwhile reads main's state several times. */
async function readDuring(program: Program, happen: (below: Below) => Promise<unknown>): Promise<void> {
  const reads = async (count: number) => {
    for (let left = count; left > 0; left--) await program.read();
  };
  const happened = happen(randomNumbers(belowOfTest(1e9)));
  await Promise.all([happened, reads(1 + belowOfTest(6))]);
}

async function runSession(program: Program): Promise<void> {
  const { platform, read } = program;
  await read();
  await readTogether(program);
  platform.auth.answer({ body: 'account-1' });
  await readDuring(program, (below) => windowOf(program, below).getByLabel('Email').fill('ada@example.org'));
  await readDuring(program, (below) => connected(program, () => login(windowOf(program, below))));
  program.socket?.send(snapshot().frame);
  await read();
  for (let step = 0; step < STEPS; step++) {
    const event = EVENTS[belowOfTest(EVENTS.length)];
    if (event !== undefined) await readDuring(program, (below) => event(program, below));
    if (belowOfTest(2) === 0) await readTogether(program);
  }
}

/** Logs out in one window while another one may show a draft and the find bar. */
async function logOut(program: Program, below: Below): Promise<void> {
  const page = windowOf(program, below);
  await page.bringToFront();
  await page.keyboard.type('a draft that nobody sends');
  await page.keyboard.press('Control+F');
  await windowOf(program, below).getByRole('button', { name: 'Log out' }).press('Enter');
  for (const each of program.windows) await each.locator('main[data-view="login"]').waitFor();
}

/** Returns the complete captures, the oldest first, once there are as many as sessions. */
const allCaptures = (dataDir: string) =>
  vi.waitUntil(() => {
    const folder = join(dataDir, 'captures');
    const files = readdirSync(folder).map((name) => join(folder, name));
    const complete = files.filter((file) => readFileSync(file, 'utf8').endsWith('"session/ended"}}\n'));
    return complete.length === SESSIONS ? complete.toSorted() : undefined;
  }, POLLING);

/** Returns the samples of each recording: those of a session, after those since the end of the one before. */
function samplesOfRecordings(samples: readonly MainMoment[]): (readonly MainMoment[])[] {
  const recordings: MainMoment[][] = [];
  let before: MainMoment | undefined;
  for (const sample of samples) {
    const isSignedOut = sample.state.queue.launchedAt === null;
    if (before === undefined || (isSignedOut && before.state.queue.launchedAt !== null)) recordings.push([]);
    recordings.at(-1)?.push(sample);
    before = sample;
  }
  return recordings;
}

/** Compares each sample with the replay of its capture up to its time, in both engines. Returns how many of them differ. */
async function countDifferent(file: string, samples: readonly MainMoment[]): Promise<number> {
  const launchedAt = samples.map(({ state }) => state.queue.launchedAt).find((at) => at !== null) ?? 0;
  const launch = readCaptureFile(file).records.find(({ type }) => type === 'launch')?.t ?? 0;
  let different = 0;
  for (const { now, state } of samples) {
    const live = throughJson({ ...stateDocument(state), conversation: toSnapshot(state.conversation) });
    const at = captureTime(sinceLaunch(now, launchedAt), launch);
    for (const engine of ['fold', 'store']) {
      const args = ['--with', 'state,conversation', '--at', `${at}`, '--engine', engine];
      const { out } = await runTool('run', file, '--json', ...args);
      const { state: replayed, conversation } = JSON.parse(out);
      if (isDeepStrictEqual({ ...replayed, conversation }, live)) continue;
      different++;
      expect.soft({ ...replayed, conversation }, `${file} at ${at}, ${engine}`).toEqual(live);
    }
  }
  return different;
}

/** Returns how the beginning of each capture differs from the state in which the capture before it ended. */
async function differencesBetween([first = '', ...others]: readonly string[]): Promise<readonly Change[]> {
  const options = { passesEnd: true };
  const adapter = { ...parleyAdapter(), reports: parleyReports() };
  const fold = createParleyEngine(options);
  await replayFile(first, fold);
  let after = fold.state();
  const differences: Change[] = [];
  for (const name of others) {
    const engine = continuedEngine({ name, adapter, options, after });
    await replayFile(name, engine);
    differences.push(...engine.differences());
    after = engine.state();
  }
  return differences;
}

it('contract §6: 300 random moments of random sessions are the same in the program, in its windows and in a replay', async () => {
  const program = await openTwoWindows();
  for (let session = 0; session < SESSIONS; session++) {
    await runSession(program);
    await readDuring(program, (below) => logOut(program, below));
  }
  const files = await allCaptures(program.parley.dataDir);
  const recordings = samplesOfRecordings(program.samples).slice(0, SESSIONS);
  let different = 0;
  let compared = 0;
  let late = 0;
  for (const [index, file] of files.entries()) {
    const samples = recordings[index] ?? [];
    compared += samples.length;
    different += await countDifferent(file, samples);
    late += readCaptureFile(file).records.filter(({ type }) => type === 'release').length;
  }
  expect(different).toBe(0);
  expect(await differencesBetween(files)).toEqual([]);
  expect(compared).toBeGreaterThanOrEqual(300);
  expect(late).toBeGreaterThan(0);
}, 300_000);
