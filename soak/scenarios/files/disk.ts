import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { numberedMessage } from '../../harness/frames.ts';
import { checkKilled } from '../../harness/checkDataFolder.ts';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { openPage, showsNewest } from '../../harness/openPage.ts';
import { startSignedIn } from '../../harness/startSignedIn.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

/** Space for the log and the other files of a data folder. */
const SPARE_MB = 4;
const UPDATE_CHARACTERS = 20_000;
const DISK_FULL = /disk[^\n]*full/i;

declare global {
  interface Window {
    /** The notices that the page has received since the last `checkNotice`. */
    soakNotices?: string[];
  }
}

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
    await page.evaluate(() => {
      const notices: string[] = [];
      window.soakNotices = notices;
      window.parleyTools.on('notice', (text: unknown) => notices.push(String(text)));
    });
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
      fill(join(dataDir, 'filler'), 0);
      // The last block of the log file may have room.
      fill(join(dataDir, 'logs', 'parley.log'), 0x20);
      await converse();
      await converse();
      soak.check('the messenger runs on a full disk', messenger.isRunning());
      await checkNotice(soak, page);

      soak.showProgress(`round ${round + 1} of ${rounds}: room again`);
      rmSync(join(dataDir, 'filler'));
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

/** Asserts that the window shows one notice about the full disk. */
async function checkNotice(soak: Soak, page: Page): Promise<void> {
  await soak.waitFor('the window says that the disk is full', 10, async () =>
    DISK_FULL.test(await page.locator('body').innerText()),
  );
  const notices = await page.evaluate(() => window.soakNotices?.splice(0) ?? []);
  const matching = notices.filter((text) => DISK_FULL.test(text));
  soak.check('the window says it once', matching.length === 1, matching.join(' | '));
}

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
      for (;;) writeFileSync(file, Buffer.alloc(bytes, byte), { flag: 'a' });
    } catch {
      // Less may still fit.
    }
  }
}

/** Returns the ids of updates that no capture contains. */
function findMissingIds(dataDir: string, newest: number): readonly string[] {
  const folder = join(dataDir, 'captures');
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const ids = Array.from({ length: newest }, (_, index) => `m${index + 1}`);
  return ids.filter((id) => !text.includes(`\\"id\\":\\"${id}\\"`));
}

/** Returns the size of all captures in bytes. */
const captureBytes = (dataDir: string): number =>
  readdirSync(join(dataDir, 'captures'))
    .map((name) => statSync(join(dataDir, 'captures', name)).size)
    .reduce((sum, size) => sum + size, 0);
