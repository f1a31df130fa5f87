import { type WebSocket, WebSocketServer } from 'ws';
import {
  type CaptureRecord,
  type CloseRecord,
  type FrameRecord,
  type KnownRecord,
  type OpenRecord,
  isKnown,
} from '#shared/capture/captureFormat.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { createComparison } from './comparison.ts';
import { closeAs, startLoopbackServer } from './sockets.ts';

/** One connection of a capture. */
export interface ScriptConnection {
  /** The time of its opening, milliseconds since the session's launch. */
  readonly openedAt: number;
  /** The events of the platform and of the client, in the order of the capture. */
  readonly steps: readonly (FrameRecord | CloseRecord)[];
}

/** Reads the connections of a capture, one after the other; at least one. */
export async function readScript(
  batches: AsyncIterable<readonly CaptureRecord[]>,
): Promise<readonly ScriptConnection[]> {
  const connections: { openedAt: number; steps: ScriptStep[] }[] = [];
  let isOpen = false;
  for await (const batch of batches) {
    for (const record of batch) {
      if (!isKnown(record) || !isOfConnection(record)) continue;
      // A close without an open connection is a failed attempt: there is nothing to play. A frame without an open
      // connection belongs to one that was open when the capture began.
      if (!isOpen && record.type === 'close') continue;
      if (!isOpen) connections.push({ openedAt: record.t, steps: [] });
      isOpen = record.type !== 'close';
      if (record.type !== 'open') connections.at(-1)?.steps.push(record);
    }
  }
  return connections.length > 0 ? connections : [{ openedAt: 0, steps: [] }];
}

type ScriptStep = ScriptConnection['steps'][number];

const isOfConnection = (record: KnownRecord): record is ScriptStep | OpenRecord =>
  record.type !== 'action' && record.type !== 'launch' && record.type !== 'release';

/** The account for all credentials. It is one path segment and not a secret: every account is accepted. */
const ACCOUNT = 'replayed';

interface ServeOptions extends PlaybackOptions {
  /** 0 selects any free port. */
  readonly port: number;
}

/**
 * Acts as the platform of a capture for a live client, on this machine only. Every sign-in succeeds, and every account is
 * accepted (spec §4.1, §4.2; contract §7).
 * @throws {UsageError} when the port is not available.
 */
export async function startServe({ port, ...options }: ServeOptions) {
  const playback = new Playback(options);
  const sockets = new WebSocketServer({ noServer: true });
  const server = await startLoopbackServer({
    port,
    clock: options.clock,
    sockets,
    addRoutes(app) {
      app.addContentTypeParser('*', (_request, body, done) => body.resume().on('end', () => done(null)));
      app.post('/auth', (_request, reply) => reply.type('text/plain; charset=utf-8').send(ACCOUNT));
    },
    onUpgrade: (request, upgrade, head) =>
      sockets.handleUpgrade(request, upgrade, head, (socket) => playback.addClient(socket)),
  });
  return { ...server, report: () => playback.report() };
}

interface PlaybackOptions {
  readonly connections: readonly ScriptConnection[];
  readonly clock: Clock;
  /** The factor of the recorded speed; `Infinity` sends at once. */
  readonly speed: number;
  /** Reports events and differences of the client's frames, one line each. */
  readonly print: (line: string) => void;
}

/** While more than this is buffered, the playback waits for the socket. */
const BUFFERED_BYTES = 4 * 1024 * 1024;

/**
 * Plays the platform's side of a capture's connections to one client at a time; the others wait (contract §7):
 *
 *     empty ── a client enters ──▶ playing ── the recorded close, or the client's ──▶ empty, at the next connection
 *       ▲                             │
 *       └── the client left before ───┘ at the rest of the same connection
 *
 *     playing: due ⇄ early: until the step's time
 *               │  ⇄ waiting: until the client sends its recorded frame
 *               │  ⇄ full: until the socket's buffer is empty
 *               └── the last step ──▶ done
 *
 * Times count from the opening of the connection. When the client sends a frame later than recorded, everything after it is
 * later too.
 */
class Playback {
  readonly #options: PlaybackOptions;
  readonly #comparison: ReturnType<typeof createComparison>;
  /** The current client, then those that wait. */
  readonly #clients: WebSocket[] = [];
  /** The position in the script: the numbers of the connection and of its next step, from 0. */
  #connection = 0;
  #next = 0;
  /** A time of the script, and when it is or was due on the clock. */
  #anchor = { t: 0, now: 0 };
  #cancel: Cancel | undefined;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    const sends = options.connections.map(({ steps }) => steps.filter(({ type }) => type === 'send').length);
    this.#comparison = createComparison(sends, options.print);
  }

  addClient(socket: WebSocket): void {
    // The close event reports the same.
    socket.on('error', () => {});
    socket.on('close', () => this.#removeClient(socket));
    socket.on('message', (data: Buffer, isBinary) => {
      this.#comparison.receive(data, isBinary, this.#connection);
      if (this.#clients[0] === socket && this.#step()?.type === 'send') this.#play();
    });
    this.#clients.push(socket);
    if (this.#clients.length === 1) this.#begin();
    else this.#options.print('another client connected; it waits until the first one has left');
  }

  /** Returns the numbers of connections, and the comparison of the client's frames. */
  report() {
    const recorded = this.#options.connections.length;
    return { connections: { recorded, played: this.#connection }, frames: this.#comparison.report() };
  }

  #step(): ScriptStep | undefined {
    return this.#options.connections[this.#connection]?.steps[this.#next];
  }

  #begin(): void {
    if (this.#clients.length === 0) return;
    const { connections, print } = this.#options;
    const connection = connections[this.#connection];
    if (connection === undefined) print('a client connected, but everything has been played');
    else print(`plays connection ${this.#connection + 1} of ${connections.length}`);
    this.#setTime(connection?.steps[this.#next - 1]?.t ?? connection?.openedAt ?? 0);
    this.#play();
  }

  /** Ends the connection when at most its close is left; otherwise the next client gets the rest. */
  #removeClient(socket: WebSocket): void {
    const index = this.#clients.indexOf(socket);
    this.#clients.splice(index, 1);
    if (index > 0) return;
    this.#cancel?.();
    const { connections, print } = this.#options;
    if ((this.#step()?.type ?? 'close') === 'close') {
      this.#connection = Math.min(this.#connection + 1, connections.length);
      this.#next = 0;
    } else print('the client left before the end; the next one continues from here');
    this.#begin();
  }

  #play(): void {
    this.#cancel?.();
    const [client] = this.#clients;
    if (client === undefined) return;
    for (let step = this.#step(); step !== undefined; step = this.#step())
      if (!this.#playStep(client, step)) return;
    if (client.readyState === client.OPEN)
      this.#options.print('has played everything; the connection stays open');
  }

  /** Returns `false` when it has to wait; then a later event calls `#play` again. */
  #playStep(client: WebSocket, step: ScriptStep): boolean {
    if (step.type === 'send') return this.#matchClient(step);
    if (step.type === 'close' && isClientsClose(step)) return false;
    const wait = this.#timeUntil(step.t);
    if (wait > 0) {
      this.#cancel = this.#options.clock.after(wait, () => this.#play());
      return false;
    }
    this.#next += 1;
    if (step.type !== 'close') return this.#sendFrame(client, step);
    this.#options.print(`closes the connection: ${step.code} ${step.reason}`.trim());
    closeAs(client, step.code, step.reason);
    return false;
  }

  #matchClient(step: FrameRecord): boolean {
    if (!this.#comparison.match(step)) return false;
    this.#next += 1;
    if (this.#timeUntil(step.t) < 0) this.#setTime(step.t);
    return true;
  }

  /** Returns `false` when the buffer is full; playing continues when the socket has taken the frame. */
  #sendFrame(client: WebSocket, { data, encoding }: FrameRecord): boolean {
    const isBinary = encoding === 'base64';
    const isFull = client.bufferedAmount > BUFFERED_BYTES;
    client.send(isBinary ? Buffer.from(data, 'base64') : data, { binary: isBinary }, () => {
      if (isFull && this.#clients[0] === client) this.#play();
    });
    return !isFull;
  }

  #setTime(t: number): void {
    this.#anchor = { t, now: this.#options.clock.now() };
  }

  /** Returns the time until `t` of the script is due, milliseconds; 0 or less when it is due. */
  #timeUntil(t: number): number {
    const { clock, speed } = this.#options;
    return this.#anchor.now + (t - this.#anchor.t) / speed - clock.now();
  }
}

/** Returns whether this is the client's own close (spec §3.1), which only the client can repeat. */
const isClientsClose = ({ code, reason }: CloseRecord): boolean => code === 1000 && reason === 'logout';
