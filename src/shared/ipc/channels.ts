import type { Credentials } from '../protocol/credentials.ts';
import type { Outgoing } from '../protocol/outgoing.ts';
import type { Update } from '../protocol/update.ts';

/**
 * The channels between the background process and its windows (spec §6.3), declared once. Here stand their names
 * and types, for the preload and the window; `validators.ts` has what main holds against a window's arguments.
 */

/** Window to background, without an answer. */
export interface Sent {
  /** Asks for the current snapshot; answered on `message` if there is one. */
  readonly messenger: readonly [];
  readonly message: readonly [outgoing: Outgoing];
  readonly logout: readonly [];
  /** `close` closes the window, any other value minimises it. */
  readonly nav: readonly [action: string];
}

/** Window to background, with an answer. */
export interface Invoked {
  /** An array buffer in, a base64 string out. */
  readonly encode: { readonly args: readonly [bytes: ArrayBuffer]; readonly answer: string };
  /** Credentials in, an error text or nothing out. */
  readonly auth: { readonly args: readonly [credentials: Credentials]; readonly answer: string | undefined };
}

/** Background to window. */
export interface Heard {
  /** The account identifier or `false`, and perhaps why. */
  readonly account: readonly [account: string | false, reason?: string];
  /** One update as the platform sent it, or the snapshot that was asked for; never a notification. */
  readonly message: readonly [frame: Update['frame']];
  /** 0 connected, 1 disconnected. */
  readonly ws: readonly [status: 0 | 1];
  readonly record: readonly [recording: boolean];
  readonly playback: readonly [messageId: string, playing: boolean];
}

export const SENT = ['messenger', 'message', 'logout', 'nav'] as const satisfies readonly (keyof Sent)[];
export const INVOKED = ['encode', 'auth'] as const satisfies readonly (keyof Invoked)[];
export const HEARD = [
  'account',
  'message',
  'ws',
  'record',
  'playback',
] as const satisfies readonly (keyof Heard)[];

/** The preload tells main that a page listens on `message`: updates are sent only where one does. */
export const MESSAGE_LISTENED = 'parley.messageListened';
/** What the preload sends to main when a page begins to listen on a channel. */
export const LISTENED: Readonly<Partial<Record<string, string>>> = { message: MESSAGE_LISTENED };

/** What the preload takes from a page to hear a channel, before it is known which. */
export type Listener = (...args: unknown[]) => void;

/** `window.parley`: what the preload exposes. A name outside the lists throws. */
export interface ParleyBridge {
  send<C extends keyof Sent>(channel: C, ...args: Sent[C]): void;
  invoke<C extends keyof Invoked>(channel: C, ...args: Invoked[C]['args']): Promise<Invoked[C]['answer']>;
  /** Listens until the function that it returns is called. */
  on<C extends keyof Heard>(channel: C, listener: (...args: Heard[C]) => void): () => void;
}
