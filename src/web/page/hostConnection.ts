import * as z from 'zod/mini';
import { type Encoded, type ToPage, readFromHost, RESUME_PATH, proofText } from '../bridge/bridge.ts';

/** The used part of a WebSocket. */
export interface Socket {
  readonly readyState: number;
  send(frame: string): void;
  close(): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: () => void): void;
}

/** The messages of the host except `host`, which the connection handles itself. */
export type HostMessage = Exclude<ToPage, ['host', string, string]>;

/** The parts of the page that `HostConnection` uses. */
interface HostConnectionDeps {
  readonly connect: () => Socket;
  readonly later: (task: () => void, ms: number) => void;
  readonly onMessage: (message: HostMessage) => void;
  /** Called when a connection is ready and the messages that waited for it were sent. */
  readonly opened: () => void;
  readonly lost: () => void;
  /** Looks for the host, with the key that it gave this page. */
  readonly reach: (key: string | null) => Promise<Found>;
  /** Called when the host does not know this page any more: it does not look for it again until `retry`. */
  readonly unknown: () => void;
  /** Reloads the document: the host was restarted, so the document is outdated. */
  readonly reload: () => void;
}

const RETRY_MS = 1000;
/** `WebSocket.OPEN`; not every environment defines the constant. */
const OPEN = 1;

const isInvocation = (message: Encoded) => message.startsWith('["invoke",');

/**
 * The page's end of the bridge to the host.
 *
 *   connecting ─▶ open ─▶ lost ─ after 1 s ─▶ reaching ── ready ──▶ connecting        leave(), from any state ─▶ closed
 *        └── refused ──────▲                   │  │  ▲
 *                          └───── stopped ─────┘  │  └── retry()
 *                                                 └── unknown: waits for the person
 *
 * Messages that are sent while it is not open wait for the next connection to the same host; requests with an answer wait only until the connection is lost.
 */
export class HostConnection {
  #socket: Socket | null = null;
  #host: string | null = null;
  #key: string | null = null;
  /** Whether the host of this connection was identified: a restarted host receives no message. */
  #isIdentified = false;
  #hasLeft = false;
  /** The messages that wait for a connection. */
  #waiting: Encoded[] = [];

  constructor(private readonly deps: HostConnectionDeps) {}

  open(): void {
    const socket = this.deps.connect();
    this.#socket = socket;
    this.#isIdentified = false;
    socket.addEventListener('message', ({ data }) => this.#receive(String(data)));
    socket.addEventListener('close', () => this.#lost());
  }

  isOpen(): boolean {
    return this.#isIdentified && this.#socket?.readyState === OPEN;
  }

  send(message: Encoded): void {
    if (this.isOpen()) this.#socket?.send(message);
    else this.#waiting.push(message);
  }

  /** Looks for the host, and connects to it when it knows this page. */
  async retry(): Promise<void> {
    if (this.#hasLeft) return;
    const found = await this.deps.reach(this.#key);
    if (this.#hasLeft) return;
    if (found === 'ready') this.open();
    else if (found === 'stopped') this.#retryLater();
    else this.deps.unknown();
  }

  /** Closes the connection because the document unloads. */
  leave(): void {
    this.#hasLeft = true;
    this.#socket?.close();
  }

  #receive(frame: string): void {
    const message = readFromHost(frame);
    if (message[0] === 'host') this.#identify(message[1], message[2]);
    else this.deps.onMessage(message);
  }

  #identify(host: string, key: string): void {
    if (this.#host !== null && this.#host !== host) {
      this.leave();
      this.deps.reload();
      return;
    }
    this.#host = host;
    this.#key = key;
    this.#isIdentified = true;
    for (const message of this.#waiting.splice(0)) this.send(message);
    this.deps.opened();
  }

  #lost(): void {
    if (this.#hasLeft) return;
    // Their callers get an error and may repeat them; main must not perform both.
    this.#waiting = this.#waiting.filter((message) => !isInvocation(message));
    this.deps.lost();
    this.#retryLater();
  }

  #retryLater(): void {
    this.deps.later(() => void this.retry(), RETRY_MS);
  }
}

/**
 * What a page finds when it has lost the host:
 * - `ready`: the host that it knows, perhaps started again. The page is signed in.
 * - `stopped`: no server answers.
 * - `unknown`: a server answers, but does not know the page, or is not the host.
 */
export type Found = 'ready' | 'stopped' | 'unknown';

interface Deps {
  readonly port: number;
  /** Sends JSON to a path of this origin. */
  readonly post: (path: string, body: string) => Promise<Pick<Response, 'ok' | 'json'>>;
  readonly keepPageSecret: (secret: string) => void;
}

const provedSchema = z.object({ challenge: z.string(), proofs: z.array(z.string()) });
const signedInSchema = z.object({ pageSecret: z.string() });

/**
 * Signs the page in at the host with the key that the host gave it. The host proves first that it knows the key: another server that has taken the port
 * learns nothing.
 */
export async function reachHost(key: string | null, { port, post, keepPageSecret }: Deps): Promise<Found> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)));
  const ask = async (body: object): Promise<unknown> => {
    const response = await post(RESUME_PATH, JSON.stringify(body));
    return response.ok ? response.json().catch(() => null) : null;
  };
  try {
    const proved = provedSchema.safeParse(await ask({ nonce })).data;
    if (proved === undefined || key === null) return 'unknown';
    const exchange = { port, nonce, challenge: proved.challenge };
    if (!proved.proofs.includes(await hmac(key, proofText('host', exchange)))) return 'unknown';
    const proof = await hmac(key, proofText('page', exchange));
    const signedIn = signedInSchema.safeParse(await ask({ nonce, proof })).data;
    if (signedIn === undefined) return 'unknown';
    keepPageSecret(signedIn.pageSecret);
    return 'ready';
  } catch {
    // `fetch` rejects when it gets no response.
    return 'stopped';
  }
}

const encodeText = (text: string) => new TextEncoder().encode(text);

async function hmac(key: string, text: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', encodeText(key), algorithm, false, ['sign']);
  return toHex(new Uint8Array(await crypto.subtle.sign('HMAC', imported, encodeText(text))));
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
