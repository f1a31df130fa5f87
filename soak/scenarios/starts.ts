import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { ROOT, createDataFolder, followChild, messengerEnvironment } from '../harness/startMessenger.ts';
import { signIn, startMessenger, startScriptedPlatform, startSignedIn } from '../harness/startMessenger.ts';
import { type Soak, scenario } from '../run/scenario.ts';
import { numberedMessage } from '../harness/frames.ts';
import { openAddress, openPage, showsNewest } from '../harness/openPage.ts';

const OTHER_USER_ID = 65_534;
const ANSWER_MS = 30_000;
const AS_UNKNOWN = ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'];
const NO_LOOPBACK = [`--import=${join(ROOT, 'soak', 'hooks', 'noLoopback.mjs')}`];
/** With these addresses the built-in platform, which would listen first, is not started. */
const ELSEWHERE = {
  PARLEY_API_URL: 'http://127.0.0.1:9',
  PARLEY_PLATFORM_URL: 'ws://127.0.0.1:9',
};
const NO_HOME = {
  PARLEY_DATA_DIR: undefined,
  HOME: undefined,
  XDG_CONFIG_HOME: undefined,
  XDG_DATA_HOME: undefined,
};

interface Start {
  readonly name: string;
  /** A command and its arguments before Node. */
  readonly wrapper?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly needsRoot?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts on machines and in folders that the messenger cannot use. */
export const starts = scenario({
  name: 'starts',
  sentence:
    'The messenger is started where it cannot run; it says why in one line and exits with status 1 or 2.',
  short: {},
  long: {},
  async run(soak) {
    const isRoot = process.getuid?.() === 0;
    const possible = startsOf(soak).filter(({ needsRoot = false }) => isRoot || !needsRoot);
    const runs = await Promise.all(possible.map((start) => runStart(soak, start)));
    for (const { start, code, stderr } of runs) {
      const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
      soak.check(
        `${start.name}: one line says why, without a stack`,
        lines.length === 1 && !/^\s+at /m.test(stderr),
        `${lines.length} lines: ${stderr.slice(0, 300)}`,
      );
      soak.check(`${start.name}: the exit status is 1 or 2`, code === 1 || code === 2, String(code));
    }
  },
});

function startsOf(soak: Soak): readonly Start[] {
  const folder = createDataFolder(soak);
  const file = join(folder, 'file');
  fs.writeFileSync(file, '');
  const foreign = join(folder, 'foreign');
  fs.mkdirSync(foreign, { mode: 0o700 });
  const open = join(folder, 'open');
  fs.mkdirSync(open);
  fs.chmodSync(open, 0o777);
  const [home, other] = [join(folder, 'home'), join(folder, 'other')];
  fs.mkdirSync(home, { mode: 0o700 });
  fs.mkdirSync(other, { mode: 0o700 });
  if (process.getuid?.() === 0) fs.chownSync(foreign, OTHER_USER_ID, OTHER_USER_ID);
  return [
    { name: 'a data folder that is a file', env: { PARLEY_DATA_DIR: file } },
    { name: 'a data folder that cannot be made', env: { PARLEY_DATA_DIR: '/sys/parley' } },
    { name: 'a data folder of another user', needsRoot: true, env: { PARLEY_DATA_DIR: foreign } },
    { name: 'a data folder that is open to others', env: { PARLEY_DATA_DIR: open } },
    {
      name: 'a network without 127.0.0.1',
      nodeOptions: NO_LOOPBACK,
      env: { PARLEY_DATA_DIR: home },
    },
    {
      name: 'a platform elsewhere, and a network without 127.0.0.1',
      nodeOptions: NO_LOOPBACK,
      env: { PARLEY_DATA_DIR: other, ...ELSEWHERE },
    },
    { name: 'no HOME and no entry in passwd', needsRoot: true, wrapper: AS_UNKNOWN, env: NO_HOME },
  ];
}

async function runStart(soak: Soak, start: Start) {
  const { wrapper = [], nodeOptions = [], env } = start;
  const program = join(soak.programs, 'start', 'start.js');
  const [command, ...args] = [...wrapper, process.execPath, ...nodeOptions, program];
  const child = spawn(command, args, {
    env: messengerEnvironment(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = followChild(child);
  soak.defer(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const printed = text(child.stderr);
  await Promise.race([ended, pause(ANSWER_MS)]);
  child.kill('SIGKILL');
  return { start, code: (await ended).code, stderr: await printed };
}

/** Uncaught errors, thrown in the main process. */
const ERRORS = [
  ['an error in a timer', `setTimeout(() => { throw new Error('thrown by the soak'); }, 0)`],
  ['a rejected promise', `void Promise.reject(new Error('rejected by the soak'))`],
  ['a thrown object that is not an error', `setTimeout(() => { throw { a: 1 }; }, 0)`],
] as const;

/** Uncaught errors in the main process. */
export const errors = scenario({
  name: 'errors',
  sentence: 'The main process has uncaught errors; it logs them and continues, and the window says so.',
  short: { rounds: 1 },
  long: { rounds: 100 },
  async run(soak, { rounds }) {
    const { messenger, socket } = await startSignedIn(soak);
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    let sent = 0;
    for (let round = 0; round < rounds; round++) {
      for (const [name, expression] of ERRORS) {
        await messenger.evaluate(`${expression}; undefined`);
        socket.send(numberedMessage(++sent));
        await soak.waitFor(`updates are shown after ${name}`, 10, showsNewest(page, sent));
      }
    }
    soak.check('the log has each error', messenger.log().includes('unexpected error'));
    soak.check('the log does not have their messages', !messenger.log().includes('by the soak'));
    await soak.waitFor('the window says that there was an unexpected error', 10, async () =>
      /unexpected error/i.test(await page.locator('body').innerText()),
    );
  },
});

const SAVE = 'Save what was received';
const BUTTONS = ['Try again', SAVE, 'Sign out'];

/** A messenger that is killed at each start. */
export const failedStarts = scenario({
  name: 'failed-starts',
  sentence:
    'The messenger is killed while its session starts, twice; the third start asks before it connects, and its buttons work.',
  short: {},
  long: {},
  async run(soak) {
    const platform = await startScriptedPlatform(soak);
    const dataDir = createDataFolder(soak);
    signIn(dataDir, platform.platformUrl);
    const start = () => startMessenger(soak, { dataDir, env: platformEnvironment(platform) });
    const connections = () => platform.sockets.all.length;

    for (const number of [1, 2]) {
      const failing = await start();
      const socket = await soak.waitFor(
        `start ${number} connects`,
        10,
        () => platform.sockets.all[number - 1],
      );
      socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(number)] });
      await socket.ping();
      await failing.kill();
    }

    const third = await start();
    const { page } = await openAddress(soak, third.url);
    await checkButtons(soak, page, 'the third start');
    soak.check('the third start does not connect', connections() === 2, connections());
    await page.getByRole('button', { name: SAVE }).click();
    await soak.waitFor('what start 2 received is saved', 10, () =>
      readCaptures(dataDir).includes(`\\"id\\":\\"m2\\"`),
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await soak.waitFor('the third start connects on request', 10, () => connections() === 3);
    await third.kill();

    const fourth = await start();
    await page.goto(fourth.url);
    await checkButtons(soak, page, 'the fourth start');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('main[data-view="login"]').waitFor();
    await soak.waitFor('the account is deleted', 10, () => !fs.existsSync(join(dataDir, 'account.json')));
    soak.check('the fourth start does not connect', connections() === 3, connections());
    soak.check('the messenger exits with status 0 at SIGTERM', (await fourth.stop()) === 0);
  },
});

async function checkButtons(soak: Soak, page: Page, start: string): Promise<void> {
  for (const name of BUTTONS)
    await soak.waitFor(`${start} offers "${name}"`, 10, () => page.getByRole('button', { name }).isVisible());
}

/** Returns the text of all captures. */
function readCaptures(dataDir: string): string {
  const folder = join(dataDir, 'captures');
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.map((name) => fs.readFileSync(join(folder, name), 'utf8')).join('\n');
}
