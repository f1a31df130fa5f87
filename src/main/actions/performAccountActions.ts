import {
  connectionRequested,
  logOutRequested,
  signInRequested,
  startRetryRequested,
} from '#shared/actions/userActions.ts';
import type { Messenger } from '../session/messenger.ts';
import type { Listeners } from '../store/listeners.ts';
import { privateOf } from '../store/privateContents.ts';

interface Options {
  readonly listeners: Listeners;
  readonly messenger: Pick<Messenger, 'signIn' | 'signOut' | 'reconnect' | 'tryAgain'>;
}

/** Signs in and out, reconnects, and launches the session after failed starts, when these are requested. The messenger dispatches main's actions. */
export function performAccountActions({ listeners: { startListening }, messenger }: Options): void {
  startListening({
    actionCreator: signInRequested,
    async effect(action) {
      const request = privateOf(action);
      if (request === undefined) return;
      const error = messenger.signIn(request.credentials);
      request.answer(error);
      await error;
    },
  });
  startListening({ actionCreator: logOutRequested, effect: () => messenger.signOut() });
  startListening({ actionCreator: connectionRequested, effect: () => messenger.reconnect() });
  startListening({ actionCreator: startRetryRequested, effect: () => messenger.tryAgain() });
}
