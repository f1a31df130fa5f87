import type { PlatformSocket } from '#tests/builders/platformSocket.ts';
import type { Messenger } from './messenger.ts';

/** Sends a frame as text, whatever its bytes are. */
export const sendFrame = (socket: PlatformSocket, frame: string | Uint8Array): void => socket.sendText(frame);

/** Resolves to whether the messenger answers a ping that follows what was sent; `false` when it has ended. */
export const answersPing = (socket: PlatformSocket, messenger: Messenger): Promise<boolean> =>
  Promise.race([
    socket.ping().then(() => true),
    // A socket that has closed is replaced by the next one.
    socket.closed.then(() => messenger.isRunning()),
    messenger.ended.then(() => false),
  ]);
