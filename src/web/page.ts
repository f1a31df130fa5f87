import { Outbox, type Encoded, encode } from './bridge.ts';
import type { HostWindow } from './window.ts';

/** The socket of one page, as far as the host uses it. */
export interface PageSocket {
  isOpen(): boolean;
  send(frame: string): void;
}

/** One browser tab that is connected, and the window that it shows. */
export class Page {
  readonly #outbox: Outbox;
  window: HostWindow | null = null;
  hasFocus = false;

  /** @param path what the tab shows, of this host's addresses. */
  constructor(
    socket: PageSocket,
    readonly path: string,
  ) {
    this.#outbox = new Outbox({
      isOpen: () => socket.isOpen(),
      send: (frame) => socket.send(frame),
      soon: setImmediate,
    });
  }

  send(message: Encoded): void {
    this.#outbox.add(message);
  }

  /** Tells the page that it shows no window (any more). It stays connected, and so learns of the host's end. */
  dismiss(why: 'closed' | 'refused'): void {
    this.window = null;
    this.send(encode(['window', why]));
  }
}
