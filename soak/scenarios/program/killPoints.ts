import type { Page } from 'playwright-core';
import { z } from 'zod';
import { signInByBridge } from '../../harness/activity.ts';
import { checkKilled, checkRestarted } from '../../harness/checkDataFolder.ts';
import { createDataFolder } from '../../harness/createDataFolder.ts';
import { type Messenger, startMessenger } from '../../harness/startMessenger.ts';
import { openPage, waitForView } from '../../harness/openPage.ts';
import { type Soak, scenario } from '../../run/scenario.ts';

const callsSchema = z.array(z.string());

/** A kill at each file system call while an account, the platform's file and the preferences are written. */
export const killPoints = scenario({
  name: 'kill-points',
  sentence:
    'The messenger is killed at each file system call of a sign-in; every file is whole, and the next start works.',
  short: { most: 8 },
  long: { most: 200 },
  async run(soak, { most }) {
    const { page, calls } = await recordCalls(soak);
    soak.check('a sign-in writes files', calls.length > 10, calls.join(' '));
    const points =
      calls.length <= most ? calls.map((_, index) => index + 1) : sample(soak, calls.length, most);
    for (const point of points) {
      soak.showProgress(`call ${point} of ${calls.length}: ${calls[point - 1]}`);
      const dataDir = createDataFolder(soak);
      const messenger = await startWithHook(soak, dataDir);
      await page.goto(messenger.url);
      await waitForView(page);
      await messenger.evaluate(`soakKill.arm(${point})`);
      const acting = act(page).catch(() => undefined);
      await soak.waitFor('the process is killed at its call', 10, () => messenger.ended.then(() => true));
      await acting;
      checkKilled(soak, dataDir);

      const next = await startMessenger(soak, { dataDir });
      checkRestarted(soak, dataDir);
      await page.goto(next.url);
      await soak.waitFor('the window is signed in or signed out', 10, () => waitForView(page));
      await next.kill();
    }
    soak.addFigure('calls', calls.length, '');
    soak.addFigure('kills', points.length, '');
  },
});

/** Signs in with the built-in platform and changes a preference: both write files. */
async function act(page: Page): Promise<void> {
  await signInByBridge(page);
  await page.evaluate(() => window.parleyTools.send('setPreference', { theme: 'dark' }));
}

/** Starts a messenger that the hook may kill. */
const startWithHook = (soak: Soak, dataDir: string): Promise<Messenger> =>
  startMessenger(soak, { dataDir, hooks: ['killAtCall'], env: { SOAK_KILL_FOLDER: dataDir }, mayEnd: true });

/** Signs in without a kill. Returns the names of the file system calls. */
async function recordCalls(soak: Soak): Promise<{ readonly page: Page; readonly calls: readonly string[] }> {
  const messenger = await startWithHook(soak, createDataFolder(soak));
  const { page } = await openPage(soak, messenger.url);
  await messenger.evaluate('soakKill.arm(0)');
  await act(page);
  const calls = await soak.waitFor('the preference is written', 10, async () => {
    const made = callsSchema.parse(await messenger.evaluate('soakKill.calls()'));
    return made.length > 10 ? made : undefined;
  });
  await messenger.kill();
  return { page, calls };
}

/** Returns `count` different numbers from 1 to `most`, in order. */
function sample({ random }: Soak, most: number, count: number): readonly number[] {
  const left = Array.from({ length: most }, (_, index) => index + 1);
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1))
    .flat()
    .sort((a, b) => a - b);
}
