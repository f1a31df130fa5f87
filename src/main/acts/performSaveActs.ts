import { sessionSaveRequested, startSaveRequested } from '#shared/acts/acts.ts';
import { sessionSaveFailed, sessionSaved, startSaveFailed, startSaved } from '#shared/acts/facts.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { answerAct } from './sourceWindow.ts';

interface Options {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly recorder: Pick<Recorder, 'save'>;
  readonly messenger: Pick<Messenger, 'saveReceived'>;
}

/** Saves the session, or what a failed start has received, when it is requested. The answer goes to the window that is the source, else to all. */
export function performSaveActs({
  listeners: { startListening },
  store,
  recorder,
  messenger,
}: Options): void {
  startListening({
    actionCreator: sessionSaveRequested,
    async effect(act) {
      const saved = await recorder.save();
      store.dispatch('path' in saved ? sessionSaved() : sessionSaveFailed());
      answerAct(act, 'saved', saved);
    },
  });
  startListening({
    actionCreator: startSaveRequested,
    async effect(act) {
      const saved = await messenger.saveReceived();
      store.dispatch('path' in saved ? startSaved() : startSaveFailed());
      answerAct(act, 'saved', saved);
    },
  });
}
