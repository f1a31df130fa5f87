import type { Credentials } from '../protocol/credentials.ts';
import type { Outgoing } from '../protocol/outgoing.ts';
import type { Update } from '../protocol/update.ts';

/**
 * The names and types of the channels between main and its windows (spec §6.3). `validators.ts` contains the schemas with which main
 * validates a window's arguments.
 */

/** Window to main, without an answer. */
export interface Sent {
  /** Requests the current snapshot; main sends it on `message` if there is one. */
  readonly messenger: readonly [];
  readonly message: readonly [outgoing: Outgoing];
  readonly logout: readonly [];
  /** `close` closes the window; any other value, of any type or none, minimizes it. */
  readonly nav: readonly [action?: unknown];
}

/** Window to main, with an answer. */
export interface Invoked {
  /** Encodes an array buffer as base64. */
  readonly encode: { readonly args: readonly [bytes: ArrayBuffer]; readonly answer: string };
  /** Signs in or registers; the answer is an error text, or `undefined` on success. */
  readonly auth: { readonly args: readonly [credentials: Credentials]; readonly answer: string | undefined };
}

/** Main to window. */
export interface Received {
  /** The account identifier or `false`, optionally with the reason. */
  readonly account: readonly [account: string | false, reason?: string];
  /** The frame of one update, or the requested snapshot; never a notification. */
  readonly message: readonly [frame: Update['frame']];
  /** 0 connected, 1 disconnected. */
  readonly ws: readonly [status: 0 | 1];
  readonly record: readonly [recording: boolean];
  readonly playback: readonly [messageId: string, playing: boolean];
}

export const SENT = ['messenger', 'message', 'logout', 'nav'] as const satisfies readonly (keyof Sent)[];
export const INVOKED = ['encode', 'auth'] as const satisfies readonly (keyof Invoked)[];
export const RECEIVED = [
  'account',
  'message',
  'ws',
  'record',
  'playback',
] as const satisfies readonly (keyof Received)[];

/** The preload tells main that a page listens on `message`: main sends updates only to such pages. */
export const MESSAGE_LISTENED = 'parley.messageListened';
/** The channel on which the preload tells main that a page listens, by the channel that the page listens on. */
export const LISTENED: Readonly<Partial<Record<string, string>>> = { message: MESSAGE_LISTENED };

/** A listener of any channel. */
export type Listener = (...args: unknown[]) => void;

/** `window.parley`: what the preload exposes. A name outside the lists throws. */
export interface ParleyBridge {
  send<C extends keyof Sent>(channel: C, ...args: Sent[C]): void;
  invoke<C extends keyof Invoked>(channel: C, ...args: Invoked[C]['args']): Promise<Invoked[C]['answer']>;
  /** Listens on a channel; returns a function that stops listening. */
  on<C extends keyof Received>(channel: C, listener: (...args: Received[C]) => void): () => void;
}
