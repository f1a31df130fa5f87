import { isAction } from '@reduxjs/toolkit';
import { SYNC_ACTION } from '#shared/ipc/channels.ts';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { frameRejected, sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { sharedPart } from '#shared/store/rootReducer.ts';
import { type TestWindow, openTestWindow } from './openPage.ts';
import { type MainStoreOptions, mainStore } from './mainStore.ts';

/** Starts main: its store, its answers to state requests and its heartbeat. */
export async function startMain(options?: MainStoreOptions) {
  const main = await mainStore(options);
  const { answerStateRequests, startHeartbeat } = await import('#main/ipc/answerStateRequests.ts');
  answerStateRequests({ ...main, log: main.kept.log, defer: queueMicrotask });
  startHeartbeat(main.store, main.clock);
  const { store, clock } = main;
  let launchedAt = 0;
  return {
    ...main,
    launch() {
      launchedAt = clock.now();
      store.dispatch(sessionLaunched({ launchedAt }));
    },
    /** Dispatches a frame as the session does. */
    receive(text: string | null) {
      const decoded = decodeUpdate(text);
      if (decoded.kind === 'rejected') store.dispatch(frameRejected({ reason: decoded.reason, bytes: 1 }));
      else
        store.dispatch(
          updateReceived({ update: decoded, at: clock.now() - launchedAt, bytes: text?.length ?? 0 }),
        );
    },
    receiveUpdate(update: object) {
      this.receive(JSON.stringify(update));
      clock.advance(100);
    },
    shared: () => sharedPart(store.getState()),
  };
}

/** Starts main with a session and opens a window that has fetched the state. */
export async function startWithWindow() {
  const main = await startMain({ keepsModules: true });
  main.launch();
  const window = openTestWindow();
  await window.page.deliver();
  return { main, window };
}

/** Returns the types of the actions that main sent to a window. */
export const typesSent = ({ page }: TestWindow) =>
  page.sent
    .flatMap(([channel, action]) => (channel === SYNC_ACTION ? [action] : []))
    .filter(isAction)
    .map(({ type }) => type);
