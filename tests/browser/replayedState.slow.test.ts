import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { stateDocument } from '#replay/parley/parley.ts';
import { runTool } from '#replay/testing/files.ts';
import { toSnapshot } from '#shared/conversation/conversation.ts';
import { readCaptureFile } from '#tests/builders/mainRecorder.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { POLLING } from '#tests/builders/polling.ts';
import { dropFile } from './harness/dropFile.ts';
import { login } from './harness/login.ts';
import { message, snapshot, text } from './harness/message.ts';
import { type MainMoment, READABLE, readMainStore } from './harness/readMainStore.ts';
import { readWindowState } from './harness/readWindowState.ts';
import { sendMessage } from './harness/sendMessage.ts';
import { connect, nextSocket, setUpScripted } from './harness/setUpScripted.ts';
import { ALLOWED_MICROPHONE, watchMicrophones } from './harness/watchMicrophones.ts';

/** Compares the state of the running program and of its two windows with a replay of the capture up to that moment. */
const scripted = setUpScripted({
  env: { ...READABLE, PARLEY_CAPTURE: '1', PARLEY_AUDIO: '1' },
  shell: ALLOWED_MICROPHONE,
  context: { permissions: ['microphone'] },
});

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/**
 * A program with two windows, in the first of which a sign-in was refused. `sample` keeps its state, once main has received the windows'
 * reports.
 */
async function openTwoWindows() {
  const { platform, parley, openSignedOut } = scripted();
  const first = await openSignedOut();
  platform.auth.answer({ status: 401, body: 'No such account.' });
  await login(first);
  await first.getByText('No such account.').waitFor();
  // Main delays the next sign-in for 2 s: meanwhile its store is searched, and the second window opens.
  const main = await readMainStore(parley);
  onTestFinished(main.close);
  const second = await first.context().newPage();
  await second.goto(new URL(parley.url).origin);
  await second.locator('main[data-view="login"]').waitFor();
  const samples: (MainMoment & { readonly name: string })[] = [];
  const ownStates = () => Promise.all([first, second].map(readWindowState));
  return {
    platform,
    parley,
    main,
    first,
    second,
    samples,
    async sample(name: string) {
      const moment = await vi.waitUntil(async () => {
        const own = await ownStates();
        const read = await main.read();
        const copies = Object.values(read.state.windows).map((window) => window.own);
        return JSON.stringify(copies) === JSON.stringify(own) ? read : undefined;
      }, POLLING);
      samples.push({ name, ...moment });
    },
  };
}

type Program = Awaited<ReturnType<typeof openTwoWindows>>;

async function signIn({ first, platform, sample }: Program): Promise<PlatformSocket> {
  platform.auth.answer({ body: 'account-1' });
  const next = nextSocket(platform);
  await login(first);
  const socket = await next();
  await connect(first, socket);
  socket.send({ ...snapshot().frame, theme: { hue: 4 } });
  socket.send(message('1', [text('Good morning, Ada.')]));
  await first.getByRole('article').getByText('Good morning, Ada.').waitFor();
  await sample('a conversation');
  return socket;
}

/** Samples the state at a moment at which updates wait for their ticks. */
async function receiveMany({ main, samples, second }: Program, socket: PlatformSocket) {
  for (let burst = 1; samples.at(-1)?.name !== 'waiting updates'; burst++) {
    const read = await main.readWhenWaiting(2);
    for (let i = 0; i < 4; i++) socket.send(message(`${burst}-${i}`, [text(`message ${burst}-${i}`)]));
    await second.getByRole('article').getByText(`message ${burst}-3`).waitFor();
    const moment = await read();
    if (moment) samples.push({ name: 'waiting updates', ...moment });
  }
}

/** Samples the state after main was busy for several ticks while updates waited. */
async function blockMain({ main, samples, second, sample }: Program, socket: PlatformSocket) {
  for (let burst = 1; samples.at(-1)?.name !== 'a busy main'; burst++) {
    await main.blockWhenWaiting(10, 350);
    const read = await main.readWhenWaiting(12);
    for (let i = 0; i < 20; i++) socket.send(message(`busy-${burst}-${i}`, [text(`busy ${burst}-${i}`)]));
    await second.getByRole('article').getByText(`busy ${burst}-19`, { exact: true }).waitFor();
    const moment = await read();
    if (moment) samples.push({ name: 'a busy main', ...moment });
  }
  await sample('after a busy main');
}

async function write({ second, sample }: Program, socket: PlatformSocket) {
  await second.bringToFront();
  await second.keyboard.type('Good evening');
  await sample('a draft');
  await second.keyboard.press('Control+A');
  await sendMessage(second, 'Hello');
  await socket.frames.next();
  await dropFile(second, { name: 'large.bin', type: '', content: 'x'.repeat(1_000_000) });
  await second.getByRole('alertdialog').waitFor();
  await sample('a refused file and its alert');
  await second.getByRole('button', { name: 'OK' }).click();
  await dropFile(second, { name: 'ada.png', type: 'image/png', content: 'png' });
  await socket.frames.next();
  await sample('a sent file');
}

async function record({ first, sample }: Program, socket: PlatformSocket) {
  await first.bringToFront();
  const microphones = await watchMicrophones(first);
  const button = first.getByRole('button', { name: 'Record' });
  await button.click();
  await microphones.captured();
  await sample('a recording');
  await button.click();
  await socket.frames.next();
}

async function choosePreference({ first, sample }: Program) {
  await first.getByRole('button', { name: 'Menu', exact: true }).click();
  await first.getByRole('menuitem', { name: 'Settings…' }).click();
  const settings = first.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('radio', { name: 'Dark' }).click();
  await sample('a preference, and the settings');
  await settings.getByRole('button', { name: 'Close' }).click();
}

async function reconnect({ first, platform, sample }: Program, socket: PlatformSocket) {
  socket.close(1000, 'maintenance');
  const button = first.getByRole('button', { name: 'Reconnect', exact: true });
  await button.waitFor();
  await sample('a closed connection');
  const next = nextSocket(platform);
  await button.click();
  await connect(first, await next());
  await sample('a new connection');
}

async function logOut({ first, second }: Program) {
  await first.getByRole('button', { name: 'Log out' }).click();
  for (const page of [first, second]) await page.locator('main[data-view="login"]').waitFor();
}

/** Returns the complete captures, the oldest first, once there are two. */
const twoCaptures = (dataDir: string) =>
  vi.waitUntil(() => {
    const folder = join(dataDir, 'captures');
    const files = readdirSync(folder).map((name) => join(folder, name));
    const complete = files.filter((file) => readFileSync(file, 'utf8').endsWith('"session/ended"}}\n'));
    return complete.length === 2 ? complete.toSorted() : undefined;
  }, POLLING);

/** Compares each sample with the replay of its capture up to its time, in both engines. */
async function expectSamples(file: string, samples: Program['samples']) {
  const { records } = readCaptureFile(file);
  const launchedAt = samples.map(({ state }) => state.queue.launchedAt).find((at) => at !== null) ?? 0;
  const start = launchedAt - (records.find(({ type }) => type === 'launch')?.t ?? 0);
  for (const { name, now, state } of samples) {
    const live = throughJson({ ...stateDocument(state), conversation: toSnapshot(state.conversation) });
    for (const engine of ['fold', 'store']) {
      const at = ['--at', `${now - start}`, '--engine', engine];
      const { out } = await runTool('run', file, '--json', '--with', 'state,conversation', ...at);
      const { state: replayed, conversation } = JSON.parse(out);
      expect({ ...replayed, conversation }, `${name}, ${engine}`).toEqual(live);
    }
  }
}

it('contract §6: a replay has the state of main and of both windows at every moment of a session, from the capture alone', async () => {
  const program = await openTwoWindows();
  const { samples, sample, parley } = program;
  await sample('a refused sign-in, and two windows');
  const socket = await signIn(program);
  await receiveMany(program, socket);
  await blockMain(program, socket);
  await write(program, socket);
  await record(program, socket);
  await choosePreference(program);
  await reconnect(program, socket);
  const first = samples.splice(0);
  await logOut(program);
  await sample('signed out');
  await signIn(program);
  await logOut(program);
  const [firstFile = '', secondFile = ''] = await twoCaptures(parley.dataDir);
  await expectSamples(firstFile, first);
  await expectSamples(secondFile, samples);
  expect([first.length, samples.length]).toEqual([12, 2]);
  expect(readCaptureFile(firstFile).records.filter(({ type }) => type === 'release')).not.toEqual([]);
}, 120_000);
