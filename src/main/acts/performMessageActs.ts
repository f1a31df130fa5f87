import { encodingRequested, messageRequested, snapshotRequested } from '#shared/acts/acts.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import type { Logger } from '#log/createLogger.ts';
import { attemptSend } from '../base/attemptSend.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import { sourceWindow } from './sourceWindow.ts';
import type { PendingRequests } from './pendingRequests.ts';

interface Options {
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'send'>;
  readonly requests: PendingRequests;
  readonly log: Logger;
}

/** Sends messages, and answers the requests of pages for the snapshot and for base64 (spec §6.3). The session dispatches the facts. */
export function performMessageActs({
  listeners: { startListening },
  messenger,
  requests,
  log,
}: Options): void {
  startListening({
    actionCreator: messageRequested,
    effect(act) {
      const outgoing = requests.messages.take(act);
      if (outgoing !== undefined) messenger.send(outgoing);
    },
  });
  startListening({
    actionCreator: snapshotRequested,
    effect(act, { getState }) {
      const { conversation, snapshotFields } = getState();
      if (conversation === emptyConversation) return;
      const snapshot = {
        ...snapshotFields,
        ...toSnapshot(conversation),
        person: conversation.person ?? '',
      };
      attemptSend(log, 'message', () => sourceWindow(act)?.webContents.send('message', snapshot));
    },
  });
  startListening({
    actionCreator: encodingRequested,
    effect(act) {
      const request = requests.encodings.take(act);
      request?.answer(Buffer.from(request.bytes).toString('base64'));
    },
  });
}
