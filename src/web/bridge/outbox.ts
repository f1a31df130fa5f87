import { type Encoded, isFrame } from './bridge.ts';

/** A frame with more characters than this is sent, and the next message starts another one. */
const FULL_FRAME = 1024 * 1024;
/** A frame with this many messages is sent too: a host limits the values of a frame. */
const FULL_FRAME_MESSAGES = 1000;

const isFull = (messages: number, size: number) => size > FULL_FRAME || messages >= FULL_FRAME_MESSAGES;

/** The socket between a page and the host, as far as the bridge uses it. */
export interface BridgeSocket {
  isOpen(): boolean;
  send(frame: string): void;
}

/**
 * Collects the messages of one turn of the event loop into one frame: one frame per message would cost ten times as much.
 * While the socket is not open, messages wait in their order; call `flush` when it opens.
 */
export class Outbox {
  #waiting: Encoded[] = [];
  #size = 0;
  #scheduled = false;

  constructor(
    private readonly socket: BridgeSocket & {
      /** Runs a task after the current turn of the event loop. */
      defer(task: () => void): void;
    },
  ) {}

  add(message: Encoded): void {
    this.#waiting.push(message);
    this.#size += message.length;
    if (isFull(this.#waiting.length, this.#size)) this.flush();
    else this.#schedule();
  }

  /** Drops the waiting messages that match. */
  drop(matches: (message: Encoded) => boolean): void {
    this.#waiting = this.#waiting.filter((message) => !matches(message));
    this.#size = this.#waiting.reduce((size, { length }) => size + length, 0);
  }

  /** Sends the waiting messages in full frames: after a long time without a connection there can be many. */
  flush(): void {
    if (this.#waiting.length === 0 || !this.socket.isOpen()) return;
    let frame: Encoded[] = [];
    let size = 0;
    const sendFrame = () => {
      if (frame.length > 0) this.socket.send(`[${frame.join(',')}]`);
      frame = [];
      size = 0;
    };
    for (const message of this.#waiting.splice(0)) {
      if (isFrame(message)) {
        sendFrame();
        this.socket.send(message);
        continue;
      }
      frame.push(message);
      size += message.length;
      if (isFull(frame.length, size)) sendFrame();
    }
    sendFrame();
    this.#size = 0;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.socket.defer(() => {
      this.#scheduled = false;
      this.flush();
    });
  }
}
