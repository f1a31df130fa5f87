import { sessionSaveRequested, startSaveRequested } from '#shared/acts/acts.ts';
import { sessionSaveFailed, sessionSaved, startSaveFailed, startSaved } from '#shared/acts/facts.ts';
import type { SavedSession } from '#shared/ipc/tools.ts';
import { SAVE_RATE } from '#shared/limits.ts';
import type { Clock } from '#shared/time/clock.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
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
  readonly clock: Pick<Clock, 'now'>;
}

const TOO_OFTEN: SavedSession = { error: 'Sessions were saved too often: wait a minute, then save again.' };

/** Saves the session, or what a failed start has received, when it is requested, within `SAVE_RATE`. The answer goes to the window that is the source, else to all. */
export function performSaveActs({
  listeners: { startListening },
  store,
  recorder,
  messenger,
  clock,
}: Options): void {
  const bucket = createTokenBucket(SAVE_RATE, clock);
  const limited = (save: () => Promise<SavedSession>) => (bucket.take(1) ? save() : TOO_OFTEN);
  startListening({
    actionCreator: sessionSaveRequested,
    async effect(act) {
      const saved = await limited(recorder.save);
      store.dispatch('path' in saved ? sessionSaved() : sessionSaveFailed());
      answerAct(act, 'saved', saved);
    },
  });
  startListening({
    actionCreator: startSaveRequested,
    async effect(act) {
      const saved = await limited(messenger.saveReceived);
      store.dispatch('path' in saved ? startSaved() : startSaveFailed());
      answerAct(act, 'saved', saved);
    },
  });
}
