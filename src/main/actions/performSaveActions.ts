import { stat } from 'node:fs/promises';
import { sessionSaveRequested, startSaveRequested } from '#shared/actions/userActions.ts';
import { sessionSaveFailed, sessionSaved, startSaveFailed, startSaved } from '#shared/actions/mainActions.ts';
import type { SavedSession } from '#shared/ipc/channels.ts';
import { SAVE_BYTES_RATE, SAVE_RATE } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import { createTokenBucket } from '../base/tokenBucket.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';
import { answerAction } from './sourceWindow.ts';

interface Options {
  readonly listeners: Listeners;
  readonly store: Pick<MainStore, 'dispatch'>;
  readonly recorder: Pick<Recorder, 'save'>;
  readonly messenger: Pick<Messenger, 'saveReceived'>;
  readonly clock: Pick<Clock, 'now'>;
}

const TOO_OFTEN: SavedSession = { error: 'Sessions were saved too often: wait a minute, then save again.' };

/**
 * Saves the session, or what a failed start has received, when it is requested, within `SAVE_RATE` and `SAVE_BYTES_RATE`. One is saved at a time: the size of a
 * file is known when it is written. The answer goes to the window that is the source, else to all.
 */
export function performSaveActions({
  listeners: { startListening },
  store,
  recorder,
  messenger,
  clock,
}: Options): void {
  const bucket = createTokenBucket(SAVE_RATE, clock);
  const bytes = createTokenBucket(SAVE_BYTES_RATE, clock);
  let last: Promise<SavedSession> | undefined;
  const saveNext = async (save: () => Promise<SavedSession>) => {
    if (bytes.isEmpty()) return TOO_OFTEN;
    const saved = await save();
    if ('path' in saved) bytes.take(await sizeOf(saved.path));
    return saved;
  };
  const limited = (save: () => Promise<SavedSession>) => {
    if (!bucket.take(1)) return TOO_OFTEN;
    const saved = last?.then(() => saveNext(save)) ?? saveNext(save);
    last = saved;
    const end = () => {
      if (last === saved) last = undefined;
    };
    void saved.then(end, end);
    return saved;
  };
  startListening({
    actionCreator: sessionSaveRequested,
    async effect(action) {
      const saved = await limited(recorder.save);
      store.dispatch('path' in saved ? sessionSaved() : sessionSaveFailed());
      answerAction(action, 'saved', saved);
    },
  });
  startListening({
    actionCreator: startSaveRequested,
    async effect(action) {
      const saved = await limited(messenger.saveReceived);
      store.dispatch('path' in saved ? startSaved() : startSaveFailed());
      answerAction(action, 'saved', saved);
    },
  });
}

/** Resolves to the size of a file; to 0 when it was deleted meanwhile. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
