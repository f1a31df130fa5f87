import type { AppAction, AppAdapter } from '../engine/appAdapter.ts';

/**
 * How the replay tool replays an app as it is: its own store with middleware and thunks, and its own handler of frames, which may dispatch many
 * actions, wait, and call the server. The module of an adapter exports it as `adapter`, or as its default.
 *
 * The store runs once for a capture, in virtual time. The states are plain data (JSON), and stay unchanged.
 */
export interface StoreAdapter<Store = unknown> extends Pick<
  AppAdapter,
  'name' | 'display' | 'pane' | 'redact'
> {
  /** Creates the app's store, as for a new page. */
  createStore(deps: StoreDeps): Store;
  /** Handles a received frame, as the app's listener of `message` does: a string, or the bytes of a binary frame. */
  onFrame(store: Store, data: string | Uint8Array, frame: { readonly socket: number }): void | Promise<void>;
  /** Does what a recorded action of the app did; by default, it is dispatched. */
  onAction?(store: Store, action: AppAction): void | Promise<void>;
  onOpen?(store: Store, connection: { readonly socket: number }): void | Promise<void>;
  onClose?(store: Store, close: StoreClose): void | Promise<void>;
  /** Returns the state of the store; by default, what `getState` returns, without functions. */
  state?(store: Store): unknown;
  /** Describes an action in lists of steps. Without it, they show its payload as JSON. */
  describe?(action: AppAction): string;
  /** Set to give the app virtual time, random numbers and answers also through the global functions of the platform (adapters.md). */
  readonly globals?: true;
}

/** A close of a connection. */
export interface StoreClose {
  readonly socket: number;
  readonly code: number;
  readonly reason: string;
}

/** What the app uses instead of the platform. */
export interface StoreDeps {
  readonly clock: StoreClock;
  /** Returns random numbers as `Math.random` does; the same ones in each replay. */
  random(): number;
  /** Answers requests from the `http` records of the capture. */
  readonly fetch: typeof fetch;
  /** An enhancer for a Redux store. With it, each action that reaches the reducer is a step; without it, those of which the tool learns. */
  enhancer<Next extends (...given: never[]) => object>(next: Next): Next;
}

/** The timers of the app, in the virtual time of the capture. */
export interface StoreClock {
  /** Returns the time as `Date.now` does: the start of the recording and the time since then. */
  now(): number;
  setTimeout<Args extends unknown[]>(task: (...args: Args) => void, ms?: number, ...args: Args): number;
  setInterval<Args extends unknown[]>(task: (...args: Args) => void, ms?: number, ...args: Args): number;
  clearTimeout(id?: number): void;
  clearInterval(id?: number): void;
}
