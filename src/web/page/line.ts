import { type Encoded, type ToPage, readFromHost } from '../bridge/bridge.ts';
import { Outbox } from '../bridge/outbox.ts';

/** A WebSocket, as far as it is used. */
export interface Socket {
  readonly readyState: number;
  send(frame: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** What the host says, other than who it is: that the line minds itself. */
export type Heard = Exclude<ToPage, ['host', string]>;

export interface LineDeps {
  readonly connect: () => Socket;
  readonly later: (task: () => void, ms: number) => void;
  readonly soon: (task: () => void) => void;
  readonly heard: (message: Heard) => void;
  /** Before anything else is said. */
  readonly opened: () => void;
  readonly lost: () => void;
  /** Another run of the host answers: this document is out of date. */
  readonly reload: () => void;
}

const RETRY_MS = 1000;
/** `WebSocket.OPEN`, which not every place has by name. */
const OPEN = 1;

/**
 * The page's end of the bridge.
 *
 *   connecting ─▶ open ─▶ lost ─ after 1 s ─▶ connecting        leave(): gone, from anywhere
 *        └── refused ──────▲
 *
 * What is said while it is not open waits for the next connection to the same host.
 */
export class Line {
  #socket: Socket | null = null;
  #host: string | null = null;
  /** Whether this connection's host has said who it is: another run of it is told nothing. */
  #isMet = false;
  #gone = false;
  readonly #outbox: Outbox;

  constructor(private readonly deps: LineDeps) {
    this.#outbox = new Outbox({
      isOpen: () => this.isOpen(),
      send: (frame) => this.#socket?.send(frame),
      soon: deps.soon,
    });
  }

  open(): void {
    const socket = this.deps.connect();
    this.#socket = socket;
    this.#isMet = false;
    socket.addEventListener('message', ({ data }) => this.#heard(String(data)));
    socket.addEventListener('close', () => this.#lost());
  }

  isOpen(): boolean {
    return this.#isMet && this.#socket?.readyState === OPEN;
  }

  say(message: Encoded): void {
    this.#outbox.add(message);
  }

  /** The document goes: this is no loss. */
  leave(): void {
    this.#gone = true;
    this.#socket?.close();
  }

  #heard(frame: string): void {
    for (const message of readFromHost(frame)) {
      if (message[0] === 'host') this.#met(message[1]);
      else this.deps.heard(message);
    }
  }

  #met(host: string): void {
    if (this.#host !== null && this.#host !== host) {
      this.leave();
      this.deps.reload();
      return;
    }
    this.#host = host;
    this.#isMet = true;
    this.deps.opened();
    this.#outbox.flush();
  }

  #lost(): void {
    if (this.#gone) return;
    this.deps.lost();
    this.deps.later(() => this.#gone || this.open(), RETRY_MS);
  }
}
