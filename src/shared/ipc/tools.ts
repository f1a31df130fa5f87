/** What Parley adds to the specification's channels: window to background, without an answer (docs/adr/0005). */
export interface ToolsSent {
  /** Connects again after a close that the specification does not reconnect from. */
  readonly reconnect: readonly [];
  /** Writes what is in memory of the session to a capture; answered on `saved`. */
  readonly saveSession: readonly [];
}

/** Where a session was saved, or in a sentence why it was not. */
export type SavedSession = { readonly path: string } | { readonly error: string };

/** What Parley adds: background to window. */
export interface ToolsHeard {
  /** The answer to `saveSession`. */
  readonly saved: readonly [session: SavedSession];
  /** The session that is being recorded is no longer: a sentence that says why. */
  readonly recordingStopped: readonly [words: string];
}

export const TOOLS_SENT = ['reconnect', 'saveSession'] as const satisfies readonly (keyof ToolsSent)[];
export const TOOLS_HEARD = ['saved', 'recordingStopped'] as const satisfies readonly (keyof ToolsHeard)[];

/** `window.parleyTools`. A name outside the lists throws. */
export interface ParleyToolsBridge {
  send<C extends keyof ToolsSent>(channel: C, ...args: ToolsSent[C]): void;
  /** Listens until the function that it returns is called. */
  on<C extends keyof ToolsHeard>(channel: C, listener: (...args: ToolsHeard[C]) => void): () => void;
}
