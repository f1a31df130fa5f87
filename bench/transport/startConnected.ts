import type { Page } from 'playwright-core';
import { login } from '#tests/browser/harness/login.ts';
import { type ScriptedPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import { PROGRAMS } from '../../soak/harness/root.ts';
import { type Messenger, startMessenger } from '../../soak/harness/startMessenger.ts';

/** A platform, and the window that is connected to it. */
export interface Setting {
  readonly platform: ScriptedPlatform;
  readonly page: Page;
  readonly dataDir: string;
}

/** Starts the messenger in its own process. */
export const start = ({ apiUrl, platformUrl }: ScriptedPlatform, dataDir: string): Promise<Messenger> =>
  startMessenger(
    { programs: PROGRAMS, defer: () => {}, check: () => {} },
    { dataDir, env: platformEnvironment({ apiUrl, platformUrl }) },
  );

/** Starts the messenger, signs in on the page, and resolves when it shows an empty conversation. */
export async function startConnected({
  platform,
  page,
  dataDir,
}: Setting): Promise<{ readonly parley: Messenger; readonly socket: PlatformSocket }> {
  const parley = await start(platform, dataDir);
  platform.auth.answer({ body: 'account-1' });
  await page.goto(parley.url);
  await page.locator('main[data-view="login"]').waitFor();
  await login(page);
  const socket = await platform.sockets.next();
  socket.pong();
  await page.locator('main[data-connection="connected"]').waitFor();
  return { parley, socket };
}
