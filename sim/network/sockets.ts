import { EventEmitter } from 'node:events';
import type { Party, Random, World } from '../world/world.ts';

export const CONNECTING = 0;
export const OPEN = 1;
export const CLOSING = 2;
export const CLOSED = 3;

/** What one side sends to the other. */
type Frame =
  | { readonly kind: 'text' | 'ping' | 'pong'; readonly data: Buffer }
  | { readonly kind: 'close'; readonly code: number; readonly reason: string }
  | { readonly kind: 'reset' };

/** The bytes that the operating systems hold for a peer that does not read. */
const WIRE_BYTES = 64 * 1024;
/** ws terminates a connection whose close is not answered within this time. */
const CLOSE_MS = 30_000;
const ABNORMAL = 1006;
const NO_STATUS = 1005;

/** How the network treats a connection. */
export interface Line {
  readonly random: Random;
  /** Neither side receives anything, and neither knows. */
  isDead: boolean;
  /** The most milliseconds that a frame needs. */
  delay: number;
}

/**
 * One side of a WebSocket, with the interface of `ws` that the product uses. Frames arrive in order, each in an event of its own. A reader that pauses receives
 * nothing, and what the operating systems cannot hold for it stays with the sender.
 */
export class SimSocket extends EventEmitter {
  static readonly CONNECTING = CONNECTING;
  static readonly OPEN = OPEN;
  static readonly CLOSING = CLOSING;
  static readonly CLOSED = CLOSED;
  readonly OPEN = OPEN;
  readonly CLOSED = CLOSED;
  readyState: number = CONNECTING;
  /** Bytes that wait to be sent. */
  bufferedAmount = 0;
  isPaused = false;
  /** The socket of the other side; `undefined` until the connection is made. */
  peer: SimSocket | undefined;
  /** Called with each frame that the application sends or receives. */
  onFrame: ((direction: 'sent' | 'received', kind: Frame['kind'], data: string) => void) | undefined;
  /** Called when the connection has ended, also when the application does not listen any more. */
  onFinish: ((code: number, reason: string) => void) | undefined;
  /** The time at which the newest frame for this side arrives. */
  arrival = 0;
  /** Emits the arrival of bytes. */
  readonly tcp = new EventEmitter();
  readonly #inbox: Frame[] = [];
  #inboxBytes = 0;
  #isReading = false;
  #cancelClose: (() => void) | undefined;

  constructor(
    readonly party: Party,
    readonly line: Line,
  ) {
    super();
    party.onEnd(() => this.peer?.receiveLater({ kind: 'reset' }));
  }

  /** The connection is made. */
  open(): void {
    this.readyState = OPEN;
    this.emit('upgrade', { socket: this.tcp });
    this.emit('open');
  }

  /** The connection cannot be made. */
  refuse(error: Error): void {
    if (this.readyState !== CONNECTING) return;
    this.emit('error', error);
    this.finish(ABNORMAL, '');
  }

  send(data: string | Uint8Array): void {
    if (this.readyState === CONNECTING) throw new Error('WebSocket is not open: readyState 0 (CONNECTING)');
    if (this.readyState !== OPEN) return;
    const bytes = Buffer.from(data);
    this.onFrame?.('sent', 'text', bytes.toString());
    this.#transmit({ kind: 'text', data: bytes });
  }

  ping(data = ''): void {
    if (this.readyState !== OPEN) return;
    this.onFrame?.('sent', 'ping', data);
    this.#transmit({ kind: 'ping', data: Buffer.from(data) });
  }

  pause(): void {
    if (this.readyState === OPEN || this.readyState === CLOSING) this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.#readNext();
  }

  close(code = NO_STATUS, reason = ''): void {
    if (this.readyState === CLOSED || this.readyState === CLOSING) return;
    if (this.readyState === CONNECTING) return this.terminate();
    this.readyState = CLOSING;
    this.#transmit({ kind: 'close', code, reason });
    this.#cancelClose = this.party.schedule(CLOSE_MS, () => this.terminate());
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    const wasConnecting = this.readyState === CONNECTING;
    this.readyState = CLOSING;
    this.peer?.receiveLater({ kind: 'reset' });
    if (wasConnecting)
      this.party.schedule(0, () => {
        this.emit('error', new Error('WebSocket was closed before the connection was established'));
        this.finish(ABNORMAL, '');
      });
    else this.party.schedule(0, () => this.finish(ABNORMAL, ''));
  }

  /** The connection has ended. */
  finish(code: number, reason: string): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#cancelClose?.();
    this.#inbox.length = 0;
    this.onFinish?.(code, reason);
    this.emit('close', code, Buffer.from(reason));
  }

  /** A frame is on its way to this side. */
  receiveLater(frame: Frame): void {
    const { world } = this.party;
    if (this.line.isDead) return;
    // Frames do not overtake each other.
    this.arrival = Math.max(
      this.arrival + 0.001,
      world.now() + this.line.random.between(0.05, this.line.delay),
    );
    this.party.schedule(this.arrival - world.now(), () => {
      if (this.readyState === CLOSED || (this.line.isDead && frame.kind !== 'reset')) return;
      if (frame.kind === 'reset') return this.finish(ABNORMAL, '');
      this.#inbox.push(frame);
      this.#inboxBytes += sizeOf(frame);
      this.tcp.emit('data');
      this.#readNext();
      return undefined;
    });
  }

  #transmit(frame: Frame): void {
    const { peer } = this;
    if (peer === undefined) return;
    // What a reader that has paused does not take stays here.
    if (peer.isPaused && peer.#inboxBytes > WIRE_BYTES) this.bufferedAmount += sizeOf(frame);
    peer.receiveLater(frame);
  }

  #readNext(): void {
    if (this.#isReading || this.isPaused || this.readyState === CLOSED) return;
    const frame = this.#inbox.shift();
    if (frame === undefined) {
      if (this.peer !== undefined) this.peer.bufferedAmount = 0;
      return;
    }
    this.#inboxBytes -= sizeOf(frame);
    this.#isReading = true;
    this.party.schedule(0, () => {
      this.#isReading = false;
      this.#take(frame);
      this.#readNext();
    });
  }

  #take(frame: Frame): void {
    if (this.readyState === CLOSED || frame.kind === 'reset') return;
    if (frame.kind === 'close') return this.#closed(frame.code, frame.reason);
    this.onFrame?.('received', frame.kind, frame.data.toString());
    if (frame.kind === 'ping') this.#transmit({ kind: 'pong', data: frame.data });
    if (frame.kind === 'pong') this.emit('pong', frame.data);
    if (frame.kind === 'text') this.emit('message', frame.data, false);
    return undefined;
  }

  #closed(code: number, reason: string): void {
    if (this.readyState === OPEN) {
      this.readyState = CLOSING;
      this.#transmit({ kind: 'close', code, reason });
    }
    this.party.schedule(0, () => this.finish(code, reason));
  }
}

const sizeOf = (frame: Frame): number => ('data' in frame ? frame.data.length : 0);

/** Creates the line of a new connection. */
export const createLine = (world: World, number: number): Line => ({
  random: world.randomOf(`line ${number}`),
  isDead: false,
  delay: 20,
});
