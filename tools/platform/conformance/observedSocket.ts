import { WebSocket } from 'ws';
import { applyUpdate, hasTarget } from '#shared/conversation/applyUpdate.ts';
import { type Conversation, emptyConversation } from '#shared/conversation/conversation.ts';
import { FRAME_BYTES, PING_INTERVAL_MS } from '#shared/limits.ts';
import { type FrameError, decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import type { Update } from '#shared/protocol/update.ts';
import { type Clock, every } from '#shared/time/clock.ts';

/** A received frame: when it arrived, what the client decodes, and the client's conversation after it. */
export interface ObservedFrame {
  readonly at: number;
  readonly update: Update | FrameError;
  /** Whether the client ignores it, because it has no target (contract §5). */
  readonly isIgnored: boolean;
  readonly conversation: Conversation;
}

/** How a socket ended. `error` is the message of the upgrade's failure, if it failed. */
export interface ObservedClose {
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
export interface ObserveOptions {
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
  const frames: ObservedFrame[] = [];
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((look) => look());
  let close: ObservedClose | null = null;
  let error: string | null = null;
  let pongs = 0;
  let hasEnded = false;

  socket.on('message', (data, isBinary) => {
    const before = frames.at(-1)?.conversation ?? emptyConversation;
    frames.push(
      observeFrame(isBinary || !Buffer.isBuffer(data) ? null : data.toString(), before, clock.now()),
    );
    wake();
  });
  const ping = () => void (socket.readyState === WebSocket.OPEN && socket.ping());
  const stopPings = every(clock, PING_INTERVAL_MS, ping);
  socket.on('pong', () => (pongs++, wake()));
  socket.on('error', (fault) => (error = fault.message));
  socket.on('close', (code, reason) => {
    stopPings();
    close = { code, reason: reason.toString(), error };
    wake();
  });

  const until = (condition: () => boolean) =>
    new Promise<boolean>((resolve) => {
      const settle = (isMet: boolean) => (cancel(), waiting.delete(look), resolve(isMet));
      const look = () => void (condition() ? settle(true) : close !== null && settle(false));
      const cancel = clock.after(timeoutMs, () => settle(false));
      waiting.add(look);
      look();
    });
  return {
    frames,
    closed: () => close,
    hasEnded: () => hasEnded,
    until,
    send: (data) =>
      socket.readyState === WebSocket.OPEN && socket.send(data, { binary: Buffer.isBuffer(data) }),
    async ping() {
      const [before, sentAt] = [pongs, clock.now()];
      ping();
      return (await until(() => pongs > before)) ? clock.now() - sentAt : null;
    },
    end() {
      hasEnded = true;
      socket.close(LOGOUT.code, LOGOUT.reason);
      return until(() => close !== null);
    },
    terminate() {
      hasEnded = true;
      socket.terminate();
    },
  };
}

function observeFrame(text: string | null, before: Conversation, at: number): ObservedFrame {
  const update = decodeUpdate(text);
  if (update.kind === 'rejected') return { at, update, isIgnored: false, conversation: before };
  const isIgnored = !hasTarget(before, update);
  return { at, update, isIgnored, conversation: isIgnored ? before : applyUpdate(before, update) };
}
