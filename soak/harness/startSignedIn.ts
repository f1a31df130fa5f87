import { type ScriptedPlatform, startPlatform, platformEnvironment } from '#tests/builders/startPlatform.ts';
import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Soak } from '../run/scenario.ts';
import { createDataFolder, signIn } from './createDataFolder.ts';
import { type Messenger, type MessengerOptions, startMessenger } from './startMessenger.ts';

/** A messenger that is signed in at a scripted platform. */
export interface SignedIn {
  readonly platform: ScriptedPlatform;
  readonly messenger: Messenger;
  /** The platform's end of the first connection. */
  readonly socket: PlatformSocket;
  /** Waits for the next connection, at most 10 s. */
  nextSocket(): Promise<PlatformSocket>;
}

/** Starts a scripted platform. Stops it after the scenario. */
export async function startScriptedPlatform(soak: Soak): Promise<ScriptedPlatform> {
  const platform = await startPlatform();
  soak.defer(() => platform.stop());
  return platform;
}

/** Starts a platform, and a messenger with the account file of an earlier run; waits until it is connected. */
export async function startSignedIn(soak: Soak, options: MessengerOptions = {}): Promise<SignedIn> {
  const platform = await startScriptedPlatform(soak);
  const { dataDir = createDataFolder(soak), env = {} } = options;
  signIn(dataDir, platform.platformUrl);
  const messenger = await startMessenger(soak, {
    ...options,
    dataDir,
    env: { ...platformEnvironment(platform), ...env },
  });
  let taken = 0;
  const nextSocket = async () => {
    const place = taken++;
    return soak.waitFor('the messenger connects', 10, () => platform.sockets.all[place]);
  };
  return { platform, messenger, socket: await nextSocket(), nextSocket };
}
