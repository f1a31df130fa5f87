import { decodeUpdate } from '#shared/protocol/update.ts';
import { frameRejected, sessionLaunched, updateReceived } from '#shared/actions/sessionActions.ts';
import { sharedPart } from '#shared/store/rootReducer.ts';
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
