import { encodingRequested, messageRequested, snapshotRequested } from '#shared/actions/userActions.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { SNAPSHOT_RATE } from '#shared/limits.ts';
import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#node/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import { type PacedTasks, createPacedTasks, perObject } from '../base/pacedTasks.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import { privateOf } from '../store/privateContents.ts';
import { sourceWindow } from './sourceWindow.ts';

interface Options {
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'send'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends messages, and answers the requests of pages for the snapshot and for base64 (spec §6.3). The session dispatches main's actions. */
export function performMessageActions({
  listeners: { startListening },
  messenger,
  clock,
  log,
}: Options): void {
  // A snapshot that waits is the newest one when it is sent, so one is enough.
  const snapshotsOf = perObject<PacedTasks>(() =>
    createPacedTasks({ rate: SNAPSHOT_RATE, waiting: 1, clock }),
  );
  startListening({
    actionCreator: messageRequested,
    effect(action) {
      const outgoing = privateOf(action);
      if (outgoing !== undefined) messenger.send(outgoing);
    },
  });
  startListening({
    actionCreator: snapshotRequested,
    effect(action, { getState }) {
      const page = sourceWindow(action)?.webContents;
      if (page === undefined || getState().conversation === emptyConversation) return;
      snapshotsOf(page).run(() => {
        const { conversation, snapshotFields } = getState();
        const snapshot = {
          ...snapshotFields,
          ...toSnapshot(conversation),
          person: conversation.person ?? '',
        };
        attemptSend(log, 'message', () => page.isDestroyed() || page.send('message', snapshot));
        return 1;
      });
    },
  });
  startListening({
    actionCreator: encodingRequested,
    effect(action) {
      const request = privateOf(action);
      request?.answer(Buffer.from(request.bytes).toString('base64'));
    },
  });
}
