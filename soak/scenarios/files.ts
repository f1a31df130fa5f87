import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { readStoreState } from '#tests/browser/harness/pageAccess.ts';
import { platformEnvironment } from '#tests/builders/startPlatform.ts';
import { numberedMessage } from '../harness/frames.ts';
import { checkKilled, checkRestarted } from '../harness/dataFolder.ts';
import { createDataFolder, followChild, spawnMessenger, startSignedIn } from '../harness/startMessenger.ts';
import { openPage, showsNewest } from '../harness/openPage.ts';
import { type Soak, scenario } from '../run/scenario.ts';

/** Space for the log and the other files of a data folder. */
const SPARE_MB = 4;
const UPDATE_CHARACTERS = 20_000;
const DISK_FULL = /disk[^\n]*full/i;

/** A data folder on a disk that fills up. */
export const disk = scenario({
  name: 'disk',
  sentence:
    'The disk fills up during a recorded session; the window says so once, and recording continues when there is room.',
  short: { rounds: 1, updates: 5 },
  long: { rounds: 5, updates: 100 },
  async run(soak, { rounds, updates }) {
    const recordedMb = ((3 * rounds + 1) * updates * UPDATE_CHARACTERS * 1.1) / 1e6;
    const dataDir = mountSmallDisk(soak, Math.ceil(recordedMb + SPARE_MB));
    const { messenger, socket } = await startSignedIn(soak, {
      dataDir,
      env: { PARLEY_CAPTURE: '1' },
    });
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [] });
    let newest = 0;
    const converse = async () => {
      const wanted = newest + updates;
      while (newest < wanted) {
        socket.send(numberedMessage(++newest, UPDATE_CHARACTERS));
        // The log has a line for a rejected frame.
        socket.sendText(`{"modifier":${newest}}`);
      }
      await soak.waitFor('updates are shown', 20 + updates / 5, showsNewest(page, newest));
    };
    await converse();
    for (let round = 0; round < rounds; round++) {
      soak.showProgress(`round ${round + 1} of ${rounds}: full`);
      await soak.waitFor('every part is written', 10, async () => isEmpty((await noticesOf(page)).paused));
      const { count } = await noticesOf(page);
      fill(join(dataDir, 'filler'), 0);
      // The last block of the log file may have room.
      fill(join(dataDir, 'logs', 'parley.log'), 0x20);
      await converse();
      await converse();
      soak.check('the messenger runs on a full disk', messenger.isRunning());
      await checkNotice(soak, page, count);

      soak.showProgress(`round ${round + 1} of ${rounds}: room again`);
      fs.rmSync(join(dataDir, 'filler'));
      const before = captureBytes(dataDir);
      await converse();
      await soak.waitFor('recording continues when there is room', 10, () => captureBytes(dataDir) > before);
    }
    soak.check('the messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
    checkKilled(soak, dataDir);
    const lost = findMissingIds(dataDir, newest);
    soak.check('every update is recorded, in spite of the full disk', lost.length === 0, lost.join(' '));
  },
});

/** Asserts that the window shows one notice about the full disk. @param before the number of notices before it was full. */
async function checkNotice(soak: Soak, page: Page, before: number): Promise<void> {
  await soak.waitFor('the window says that the disk is full', 10, async () =>
    DISK_FULL.test(await page.locator('body').innerText()),
  );
  const { standing, count } = await noticesOf(page);
  soak.check('the window says it once', standing?.id === before + 1 && count === standing.id, `${count}`);
}

const noticesOf = async (page: Page) => (await readStoreState(page)).notices;

const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Mounts a small file system in memory as a data folder. */
function mountSmallDisk(soak: Soak, megabytes: number): string {
  const folder = createDataFolder(soak);
  const { status, error } = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=0700`,
    'tmpfs',
    folder,
  ]);
  if (error !== undefined || status !== 0)
    soak.skip('a full disk needs the right to mount a small file system');
  soak.defer(() => spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Appends to a file until the disk is full. */
function fill(file: string, byte: number): void {
  for (const bytes of [65_536, 4096, 512, 1]) {
    try {
      for (;;) fs.writeFileSync(file, Buffer.alloc(bytes, byte), { flag: 'a' });
    } catch {
      // Less may still fit.
    }
  }
}

/** Returns the ids of updates that no capture contains. */
function findMissingIds(dataDir: string, newest: number): readonly string[] {
  const folder = join(dataDir, 'captures');
  const text = fs
    .readdirSync(folder)
    .map((name) => fs.readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const ids = Array.from({ length: newest }, (_, index) => `m${index + 1}`);
  return ids.filter((id) => !text.includes(`\\"id\\":\\"${id}\\"`));
}

/** Returns the size of all captures in bytes. */
const captureBytes = (dataDir: string): number =>
  fs
    .readdirSync(join(dataDir, 'captures'))
    .map((name) => fs.statSync(join(dataDir, 'captures', name)).size)
    .reduce((sum, size) => sum + size, 0);

const TEMPORARY = '.parley-0123456789abcdef01234567.tmp';
/** Temporary files of earlier runs that were killed. */
const TEMPORARY_FILES = [TEMPORARY, `captures/${TEMPORARY}`];
/** Files that belong to the person, with similar names. */
const OWN_FILES = ['notes.new.txt', 'captures/2026-01-01.parley.jsonl'];

/** A data folder with temporary files of killed runs. */
export const leftovers = scenario({
  name: 'leftovers',
  sentence: 'Killed runs have left temporary files; the next start removes these and no others.',
  short: {},
  long: {},
  async run(soak) {
    const dataDir = createDataFolder(soak);
    fs.mkdirSync(join(dataDir, 'captures'), { mode: 0o700 });
    for (const name of [...TEMPORARY_FILES, ...OWN_FILES])
      fs.writeFileSync(join(dataDir, name), 'left', { mode: 0o600 });
    const { messenger } = await startSignedIn(soak, { dataDir });
    checkRestarted(soak, dataDir);
    const kept = OWN_FILES.filter((name) => fs.existsSync(join(dataDir, name)));
    soak.check('the person’s own files stay', kept.length === OWN_FILES.length, kept.join(' '));
    soak.addFigure('files left', fs.readdirSync(dataDir).length, '');
    soak.check('the messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});

const FULL_LOG_MB = 11;
const MAX_MB = 40;
const MAX_FILES = 4;

/** A stderr that cannot be written, a log over its maximum size, and a repeated line. */
export const logging = scenario({
  name: 'logging',
  sentence:
    'Stderr cannot be written and one line is logged many times; the messenger continues, and the log stays small.',
  short: { frames: 20_000 },
  long: { frames: 2_000_000 },
  async run(soak, { frames }) {
    const dataDir = createDataFolder(soak);
    fs.mkdirSync(join(dataDir, 'logs'), { mode: 0o700 });
    const line = `${JSON.stringify({ level: 30, msg: 'an earlier run' })}\n`;
    fs.writeFileSync(join(dataDir, 'logs', 'parley.log'), line.repeat((FULL_LOG_MB * 1e6) / line.length), {
      mode: 0o600,
    });
    const full = fs.openSync('/dev/full', 'w');
    soak.defer(() => fs.closeSync(full));
    const { messenger, socket } = await startSignedIn(soak, { dataDir, stderr: full });
    const { page } = await openPage(soak, messenger.url);
    await soak.waitFor('a log over 10 MB is rotated', 10, () => (logSizes(dataDir)['parley.log'] ?? 0) < 10);
    const before = totalLogSize(dataDir);
    for (let sent = 0; sent < frames; sent += 1000) {
      for (let each = 0; each < 1000; each++) socket.sendText('{"modifier":1}');
      await soak.waitFor('rejected frames are read', 30, () => socket.ping().then(() => true));
    }
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));
    const grown = totalLogSize(dataDir) - before;
    soak.addFigure('rejected frames', frames, '');
    soak.addFigure('log of them', grown, 'MB');
    soak.check(
      'repeated lines are limited: the log grows by less than 0.5 MB',
      grown < 0.5,
      `${grown.toFixed(2)} MB`,
    );
    soak.check(`all log files are smaller than ${MAX_MB} MB`, totalLogSize(dataDir) < MAX_MB);
    soak.check('there are few log files', Object.keys(logSizes(dataDir)).length <= MAX_FILES);
    soak.check('the messenger exits with status 0 at SIGTERM', (await messenger.stop()) === 0);
  },
});

/** Returns the sizes of the log files by name, in MB. */
function logSizes(dataDir: string): Readonly<Record<string, number>> {
  const folder = join(dataDir, 'logs');
  return Object.fromEntries(
    fs.readdirSync(folder).map((name) => [name, fs.statSync(join(folder, name)).size / 1e6]),
  );
}

const totalLogSize = (dataDir: string) =>
  Object.values(logSizes(dataDir)).reduce((sum, size) => sum + size, 0);

/** A data folder that is removed while the messenger runs. */
export const removedFolder = scenario({
  name: 'removed-folder',
  sentence:
    'The data folder is removed while the messenger runs; the window says so, and no second messenger starts on it.',
  short: { isMoved: false },
  long: { isMoved: true },
  async run(soak, { isMoved }) {
    const dataDir = createDataFolder(soak);
    const { messenger, platform, socket } = await startSignedIn(soak, {
      dataDir,
      env: { PARLEY_CAPTURE: '1' },
    });
    const { page } = await openPage(soak, messenger.url);
    socket.send({ person: 'Ada Lovelace', messages: [numberedMessage(1)] });
    await soak.waitFor('the conversation is shown', 10, showsNewest(page, 1));

    const aside = `${dataDir}-moved`;
    soak.defer(() => fs.rmSync(aside, { recursive: true, force: true }));
    if (isMoved) fs.renameSync(dataDir, aside);
    else fs.rmSync(dataDir, { recursive: true });
    await soak.waitFor('the window says that the data folder is gone', 20, async () =>
      /data folder[^\n]*(?:removed|gone|missing|moved|no longer)/i.test(
        await page.locator('body').innerText(),
      ),
    );
    socket.send(numberedMessage(2));
    await soak.waitFor('the conversation continues', 10, showsNewest(page, 2));

    if (!fs.existsSync(dataDir)) fs.mkdirSync(dataDir, { mode: 0o700 });
    const second = spawnMessenger(soak, { dataDir, env: platformEnvironment(platform) });
    const ended = followChild(second);
    soak.defer(async () => {
      second.kill('SIGKILL');
      await ended;
    });
    let printed = '';
    second.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    const { port } = new URL(messenger.url);
    await Promise.race([ended, pause(8000)]);
    soak.check(
      'no second messenger starts on the folder',
      !printed.includes('Parley is ready at') || printed.includes(`:${port}/`),
      printed.trim().replace(/token=\S+/, 'token'),
    );
    soak.check('the first messenger runs', messenger.isRunning());
  },
});
