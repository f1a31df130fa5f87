import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Messenger } from './startMessenger.ts';

/** Pings the messenger after the frames that were sent. Resolves to `false` when the messenger has ended. */
export const answersPing = (socket: PlatformSocket, messenger: Messenger): Promise<boolean> =>
  Promise.race([
    socket.ping().then(() => true),
    // The messenger replaces a socket that has closed.
    socket.closed.then(() => messenger.isRunning()),
    messenger.ended.then(() => false),
  ]);
