import { sharedPart } from '#shared/store/rootReducer.ts';
import { type MainStoreOptions, mainStore } from './mainStore.ts';
import { sessionInput } from './sessionStore.ts';

/** Starts main: its store, its answers to state requests and its heartbeat. */
export async function startMain(options?: MainStoreOptions) {
  const main = await mainStore(options);
  const { answerStateRequests, startHeartbeat } = await import('#main/ipc/answerStateRequests.ts');
  answerStateRequests({ ...main, log: main.kept.log, defer: queueMicrotask });
  startHeartbeat(main.store, main.clock);
  const { store, clock } = main;
  const input = sessionInput(store, clock);
  return {
    ...main,
    ...input,
    receiveUpdate(update: object) {
      input.receive(update);
      clock.advance(100);
    },
    shared: () => sharedPart(store.getState()),
  };
}
