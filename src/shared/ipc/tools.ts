/** What Parley adds to the specification's channels: window to background, without an answer (docs/adr/0005). */
export interface ToolsSent {
  /** Connects again after a close that the specification does not reconnect from. */
  readonly reconnect: readonly [];
}

export const TOOLS_SENT = ['reconnect'] as const satisfies readonly (keyof ToolsSent)[];

/** `window.parleyTools`. A name outside the list throws. */
export interface ParleyToolsBridge {
  send<C extends keyof ToolsSent>(channel: C, ...args: ToolsSent[C]): void;
}
