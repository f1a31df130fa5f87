import { WebSocket } from 'ws';
import { clip } from '#shared/formatText.ts';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { FRAME_BYTES, PING_INTERVAL_MS } from '#shared/limits.ts';
import { type FrameError, decodeUpdate, type Update } from '#shared/protocol/update.ts';
import { type Clock, every } from '#shared/clock.ts';

/** A received frame: when it arrived, what the client decodes, and the client's conversation after it. */
export interface ObservedFrame {
  readonly at: number;
  readonly update: Update | FrameError;
  /** Whether the client ignores it, because it has no target (contract §5). */
  readonly isIgnored: boolean;
  readonly conversation: Conversation;
}

/** How a socket ended. `error` is the message of the upgrade's failure, if it failed. */
interface ObservedClose {
  readonly code: number;
  readonly reason: string;
  readonly error: string | null;
}

/** A socket to the tested platform, with the client's decoder and fold. It records everything. */
export interface ObservedSocket {
  readonly frames: readonly ObservedFrame[];
  /** Returns the close, or `null` while the socket is connecting or open. */
  closed(): ObservedClose | null;
  /** Returns whether the suite itself has closed the socket. */
  hasEnded(): boolean;
  /** Resolves to whether the condition became true in time. It is checked after each frame, pong and close. */
  until(condition: () => boolean): Promise<boolean>;
  send(data: string | Buffer): void;
  /** Pings; resolves to the time until the pong in milliseconds, or `null` when none came in time. */
  ping(): Promise<number | null>;
  /** Closes the socket as a client that signs out. Resolves to whether the platform answered the close in time. */
  end(): Promise<boolean>;
  terminate(): void;
}

/** The options of `observeSocket`. */
interface ObserveOptions {
  readonly url: string;
  readonly clock: Clock;
  /** The longest wait for anything. */
  readonly timeoutMs: number;
}

/** The code and the reason with which a client signs out (spec §3.1). */
const LOGOUT = { code: 1000, reason: 'logout' } as const;

/** Opens a socket as the client does: no header, no token, a ping each second. */
export function observeSocket({ url, clock, timeoutMs }: ObserveOptions): ObservedSocket {
  const socket = new WebSocket(url, { maxPayload: FRAME_BYTES });
  const record = createRecord(socket, clock);
  const { frames, closed } = record;
  const stopPings = every(clock, PING_INTERVAL_MS, () => pingOpen(socket));
  socket.on('close', stopPings);
  let hasEnded = false;

  const until = (condition: () => boolean) =>
    new Promise<boolean>((resolve) => {
      const settle = (isMet: boolean) => (cancel(), stop(), resolve(isMet));
      const look = () => void (condition() ? settle(true) : closed() !== null && settle(false));
      const cancel = clock.after(timeoutMs, () => settle(false));
      const stop = record.onChange(look);
      look();
    });
  return {
    frames,
    closed,
    hasEnded: () => hasEnded,
    until,
    send: (data) =>
      socket.readyState === WebSocket.OPEN && socket.send(data, { binary: Buffer.isBuffer(data) }),
    async ping() {
      const [before, sentAt] = [record.pongs(), clock.now()];
      pingOpen(socket);
      return (await until(() => record.pongs() > before)) ? clock.now() - sentAt : null;
    },
    end() {
      hasEnded = true;
      socket.close(LOGOUT.code, LOGOUT.reason);
      return until(() => closed() !== null);
    },
    terminate() {
      hasEnded = true;
      socket.terminate();
    },
  };
}

const pingOpen = (socket: WebSocket) => void (socket.readyState === WebSocket.OPEN && socket.ping());

/** Records what a socket receives; `onChange` calls a function after each event, and returns a function that ends this. */
function createRecord(socket: WebSocket, clock: Clock) {
  const frames: ObservedFrame[] = [];
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  let close: ObservedClose | null = null;
  let error: string | null = null;
  let pongs = 0;

  socket.on('message', (data, isBinary) => {
    const before = frames.at(-1)?.conversation ?? emptyConversation;
    const text = isBinary || !Buffer.isBuffer(data) ? null : data.toString();
    frames.push(observeFrame(text, before, clock.now()));
    changed();
  });
  socket.on('pong', () => {
    pongs++;
    changed();
  });
  socket.on('error', (fault) => (error = fault.message));
  socket.on('close', (code, reason) => {
    close = { code, reason: reason.toString(), error };
    changed();
  });
  return {
    frames,
    closed: () => close,
    pongs: () => pongs,
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function observeFrame(text: string | null, before: Conversation, at: number): ObservedFrame {
  const update = decodeUpdate(text);
  if (update.kind === 'rejected') return { at, update, isIgnored: false, conversation: before };
  const isIgnored = !hasTarget(before, update);
  return { at, update, isIgnored, conversation: isIgnored ? before : applyUpdate(before, update) };
}

/** The most of a close's reason that is shown. */
const REASON_LENGTH = 60;

/** Describes how a socket ended; an upgrade that was refused is no close for the client. */
export function describeClose(close: ObservedClose | null): string {
  if (close === null) return 'the socket stays open';
  if (close.error !== null) return `the socket fails: ${close.error}`;
  const reason =
    close.reason === '' ? 'an empty reason' : `the reason “${clip(close.reason, REASON_LENGTH)}”`;
  return `a close with code ${close.code} and ${reason}`;
}
