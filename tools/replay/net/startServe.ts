import type { WebSocket } from 'ws';
import { type CaptureRecord, type KnownRecord, isOfOtherSocket } from '#shared/capture/captureFormat.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { createComparison } from './comparison.ts';
import { closeAs, frameData, startLoopbackServer } from './sockets.ts';

type ConnectionRecord = KnownRecord & { readonly type: 'open' | 'recv' | 'send' | 'close' };
/** An event of the platform or of the client. */
type ScriptStep = Exclude<ConnectionRecord, { readonly type: 'open' }>;

/** Reads the connections of a capture, one after the other; at least one, each with the time of its opening, milliseconds since the session's launch. */
export async function readScript(batches: AsyncIterable<readonly CaptureRecord[]>) {
  const connections: { readonly openedAt: number; readonly steps: ScriptStep[] }[] = [];
  let isOpen = false;
  for await (const batch of batches) {
    for (const record of batch) {
      if (!isOfConnection(record) || isOfOtherSocket(record)) continue;
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

const OF_CONNECTION: ReadonlySet<string> = new Set(['open', 'recv', 'send', 'close']);

const isOfConnection = (record: CaptureRecord): record is ConnectionRecord => OF_CONNECTION.has(record.type);

/** The account for all credentials. It is one path segment and not a secret: every account is accepted. */
const ACCOUNT = 'replayed';

interface ServeOptions {
  /** 0 selects any free port. */
  readonly port: number;
  readonly connections: Awaited<ReturnType<typeof readScript>>;
  readonly clock: Clock;
  /** The factor of the recorded speed; `Infinity` sends at once. */
  readonly speed: number;
  /** Reports events and differences of the client's frames, one line each. */
  readonly print: (line: string) => void;
}

/**
 * Acts as the platform of a capture for a live client, on this machine only. Every sign-in succeeds, and every account is
 * accepted (spec §4.1, §4.2; contract §7).
 * @throws {UsageError} when the port is not available.
 */
export async function startServe(options: ServeOptions) {
  const playback = new Playback(options);
  const server = await startLoopbackServer({
    port: options.port,
    clock: options.clock,
    signIn: (_request, reply) => reply.type('text/plain; charset=utf-8').send(ACCOUNT),
    onClient: (client) => playback.addClient(client),
  });
  return { ...server, report: () => playback.report() };
}

/**
 * Plays the platform's side of a capture's connections to one client at a time; the others wait (contract §7):
 *
 *     empty ── a client enters ──▶ playing ── the recorded close, or the client's ──▶ empty, at the next connection
 *       ▲                             │
 *       └── the client left before ───┘ at the rest of the same connection
 *
 *     playing: due ⇄ early: until the step's time
 *               │  ⇄ waiting: until the client sends its recorded frame
 *               └── the last step ──▶ done
 *
 * Times count from the opening of the connection. When the client sends a frame later than recorded, everything after it is
 * later too.
 */
class Playback {
  readonly #options: ServeOptions;
  readonly #comparison: ReturnType<typeof createComparison>;
  /** The current client, then those that wait. */
  readonly #clients: WebSocket[] = [];
  /** The position in the script: the numbers of the connection and of its next step, from 0. */
  #connection = 0;
  #next = 0;
  /** A time of the script, and when it is or was due on the clock. */
  #anchor = { t: 0, now: 0 };
  #cancel: Cancel | undefined;

  constructor(options: ServeOptions) {
    this.#options = options;
    const sends = options.connections.map(({ steps }) => steps.filter(({ type }) => type === 'send').length);
    this.#comparison = createComparison(sends, options.print);
  }

  addClient(socket: WebSocket): void {
    // The close event reports the same.
    socket.on('error', () => {});
    socket.on('close', () => this.#removeClient(socket));
    socket.on('message', (data: Buffer, isBinary) => {
      this.#comparison.receive(frameData(data, isBinary), this.#connection);
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

  #step() {
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

  /** Plays the steps up to one that has to wait; a later event then calls it again. */
  #play(): void {
    const { clock, print } = this.#options;
    this.#cancel?.();
    const [client] = this.#clients;
    if (client === undefined) return;
    for (let step = this.#step(); step !== undefined; step = this.#step()) {
      if (step.type === 'send') {
        if (!this.#comparison.match(step)) return;
        if (this.#timeUntil(step.t) < 0) this.#setTime(step.t);
        this.#next += 1;
        continue;
      }
      // The client's own close (spec §3.1), which only the client can repeat.
      if (step.type === 'close' && step.code === 1000 && step.reason === 'logout') return;
      const wait = this.#timeUntil(step.t);
      if (wait > 0) {
        this.#cancel = clock.after(wait, () => this.#play());
        return;
      }
      this.#next += 1;
      if (step.type === 'close') {
        print(`closes the connection: ${step.code} ${step.reason}`.trim());
        closeAs(client, step.code, step.reason);
        return;
      }
      const binary = step.encoding === 'base64';
      client.send(binary ? Buffer.from(step.data, 'base64') : step.data, { binary });
    }
    if (client.readyState === client.OPEN) print('has played everything; the connection stays open');
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
