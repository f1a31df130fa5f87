import { type Encoded, encode } from '../bridge/bridge.ts';
import { type BridgeSocket, Outbox } from '../bridge/outbox.ts';

/** A connected browser tab. */
export class Page {
  readonly #outbox: Outbox;
  hasFocus = false;

  /** @param path the path that the tab shows. */
  constructor(
    socket: BridgeSocket,
    readonly path: string,
  ) {
    this.#outbox = new Outbox({
      isOpen: () => socket.isOpen(),
      send: (frame) => socket.send(frame),
      defer: setImmediate,
    });
  }

  send(message: Encoded): void {
    this.#outbox.add(message);
  }

  /** Notifies the page that it shows no window. It stays connected, so that it notices the end of the host. */
  dismiss(why: 'closed' | 'refused'): void {
    this.send(encode(['window', why]));
  }
}
