import { type ScriptedPlatform, startPlatform } from '#tests/builders/platform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Soak } from '../run/scenario.ts';
import { dataFolder, signIn } from './dataFolder.ts';
import { type Messenger, type MessengerOptions, startMessenger } from './messenger.ts';

/** The messenger, signed in at a platform whose every answer the scenario decides. */
export interface SignedIn {
  readonly platform: ScriptedPlatform;
  readonly messenger: Messenger;
  /** The platform's end of the first connection. */
  readonly socket: PlatformSocket;
  /** The next connection, within 10 s. */
  nextSocket(): Promise<PlatformSocket>;
}

/** What names a platform to `npm start`. */
export const addressesOf = ({ apiUrl, platformUrl }: ScriptedPlatform) => ({
  PARLEY_API_URL: apiUrl,
  PARLEY_PLATFORM_URL: platformUrl,
});

/** A platform of the scenario's own, stopped with it. */
export async function scriptedPlatform(soak: Soak): Promise<ScriptedPlatform> {
  const platform = await startPlatform();
  soak.defer(() => platform.stop());
  return platform;
}

/** Starts both; the messenger finds an account of an earlier run and connects. */
export async function startSignedIn(soak: Soak, options: MessengerOptions = {}): Promise<SignedIn> {
  const platform = await scriptedPlatform(soak);
  const { dataDir = dataFolder(soak), env = {} } = options;
  signIn(dataDir, platform.platformUrl);
  const messenger = await startMessenger(soak, {
    ...options,
    dataDir,
    env: { ...addressesOf(platform), ...env },
  });
  let taken = 0;
  const nextSocket = async () => {
    const place = taken++;
    return soak.within('the messenger connects', 10, () => platform.sockets.all[place]);
  };
  return { platform, messenger, socket: await nextSocket(), nextSocket };
}
