import type { Page } from 'playwright-core';
import { login } from '#tests/browser/harness/signUp.ts';
import { type ScriptedPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Message } from '#shared/protocol/update.ts';
import { type Messenger, PROGRAMS, startMessenger } from '../../soak/harness/startMessenger.ts';

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

const WORDS = 'the platform sends one frame for each update and the messenger folds them in order '.split(
  ' ',
);

/** Returns a message with one text, about 300 bytes of JSON. */
export function shortMessage(index: number): Message {
  const words = Array.from({ length: 29 }, (_, at) => WORDS[(index * 7 + at * 3) % WORDS.length]);
  const text = `${index}: ${words.join(' ')}`;
  return {
    id: `m${index}`,
    modifier: index % 2 === 0 ? 'client' : 'ai',
    content: [{ category: 'text', text, html: null, blob: null }],
    context: 'Parley',
    avatar: '',
    seen: true,
  };
}

/** Returns a message with the largest file that the specification permits: 1.3 MB of base64. */
function fileMessage(index: number): Message {
  const blob = Buffer.alloc(999_999, index % 251).toString('base64');
  return {
    id: `m${index}`,
    modifier: 'client',
    content: [{ category: 'file', text: `${index}.bin`, html: null, blob }],
    context: '',
    avatar: '',
    seen: true,
  };
}

const snapshotText = (count: number, message: (index: number) => Message): string =>
  JSON.stringify({
    person: 'Ada Lovelace',
    messages: Array.from({ length: count }, (_, at) => message(at + 1)),
  });

/** Returns the text of a snapshot of short messages, numbered from 1. */
export const manyMessages = (count: number): string => snapshotText(count, shortMessage);

/** Returns the text of a snapshot of files, numbered from 1. */
export const manyFiles = (count: number): string => snapshotText(count, fileMessage);
