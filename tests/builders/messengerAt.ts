import { dirname, join } from 'node:path';
import type { Messenger } from '#main/session/messenger.ts';
import type { MainStore } from '#main/store/mainStore.ts';
import { accountChanged, noticeRaised } from '#shared/actions/mainActions.ts';
import { connectionRequested } from '#shared/actions/userActions.ts';
import { expect, onTestFinished } from 'vitest';
import { type MainStoreOptions, mainStore } from './mainStore.ts';
import { type ScriptedPlatform, startPlatform } from './startPlatform.ts';

/** Starts a scripted platform that stops with the test. */
export async function platformForTest(options?: { readonly port: number }) {
  const platform = await startPlatform(options);
  onTestFinished(() => platform.stop());
  return platform;
}

interface Options extends MainStoreOptions {
  /** Receives the account at the moment when the windows are notified. */
  readonly onAccount?: (account: string | false) => void;
}

/** Creates a messenger for a platform, as the program's start does; it quits with the test. */
export async function messengerAt(
  { apiUrl, platformUrl }: Pick<ScriptedPlatform, 'apiUrl' | 'platformUrl'>,
  options: Options = {},
) {
  const main = await mainStore({ keepsModules: true, ...options });
  const { createMessenger } = await import('#main/session/messenger.ts');
  const { performAccountActions } = await import('#main/actions/performUserActions.ts');
  const { createStartGuard } = await import('#main/session/startGuard.ts');
  const { captureFolder } = await import('#main/capture/captureFolder.ts');
  const notified: { readonly account: string | false; readonly reason: string | undefined }[] = [];
  const startFailures: unknown[] = [];
  const notices: string[] = [];
  const parts = { clock: main.clock, today: () => new Date(0), log: main.kept.log };
  const dataDir = dirname(main.path);
  const folder = captureFolder(join(dataDir, 'captures'));
  const messenger: Messenger = createMessenger({
    ...parts,
    platform: { name: main.platformName, apiUrl, platformUrl },
    store: main.store,
    persistor: main.persistor,
    capture: main.capture,
    startGuard: createStartGuard({ ...parts, dataDir, folder, version: '0.0.0' }),
  });
  const { startListening } = main.listeners;
  startListening({
    predicate: (_, now, before) => now.notices.startFailure !== before.notices.startFailure,
    effect: (_, { getState }) => void startFailures.push(getState().notices.startFailure),
  });
  startListening({ actionCreator: noticeRaised, effect: ({ payload }) => void notices.push(payload.text) });
  startListening({
    actionCreator: accountChanged,
    effect({ payload: { reason } }, { getState }) {
      const account = getState().account.id ?? false;
      notified.push({ account, reason: reason ?? undefined });
      options.onAccount?.(account);
    },
  });
  performAccountActions({ listeners: main.listeners, messenger });
  onTestFinished(() => messenger.quit());
  const reconnect = () => void main.store.dispatch(connectionRequested());
  return { ...main, messenger, reconnect, notified, startFailures, notices };
}

/** Resolves as soon as the condition is true; checks it after each action. */
export function waitForState(
  store: MainStore,
  condition: (state: ReturnType<MainStore['getState']>) => boolean,
) {
  return new Promise<void>((resolve) => {
    const look = () => {
      if (!condition(store.getState())) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(look);
    look();
  });
}

/** Valid credentials. */
export const ADA = { email: 'ada@example.org', password: 'engine1843!', name: '' } as const;

/** Creates a messenger that is signed in as `account-1` and connected to a platform that has sent a snapshot. */
export async function signedInMessenger(options: Options = {}) {
  const platform = await platformForTest();
  const main = await messengerAt(platform, options);
  expect(await main.messenger.signIn(ADA)).toBeUndefined();
  const socket = await platform.sockets.next();
  socket.send({ person: 'Ada Lovelace', messages: [] });
  await waitForState(main.store, ({ queue }) => queue.length === 1);
  main.clock.advance(100);
  return { platform, socket, ...main, person: () => main.store.getState().conversation.person };
}
