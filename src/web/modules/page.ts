import { type BridgeSocket, type Encoded, encode } from '../bridge/bridge.ts';

/** A connected browser tab. */
export class Page {
  hasFocus = false;

  /** @param path the path that the tab shows. */
  constructor(
    private readonly socket: BridgeSocket,
    readonly path: string,
  ) {}

  send(message: Encoded): void {
    if (this.socket.isOpen()) this.socket.send(message);
  }

  /** Notifies the page that it shows no window. It stays connected, so that it notices the end of the host. */
  dismiss(why: 'closed' | 'refused'): void {
    this.send(encode(['window', why]));
  }
}
