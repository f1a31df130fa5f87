/** The channels of electron-redux that Parley uses: main forwards actions, and a window fetches the state. */
export const SYNC_ACTION = 'electron-redux.ACTION';
/** electron-redux's asynchronous state request. */
export const SYNC_STATE = 'electron-redux.INIT_STATE_ASYNC';
/** electron-redux's synchronous state request, which Parley does not answer. */
export const SYNC_STATE_BLOCKING = 'electron-redux.INIT_STATE';
/** Parley's channel: a window fetches a further part of the conversation. */
export const SYNC_PART = 'parley.CONVERSATION_PART';

/** The type of `window.parleySync`, with which the window's store follows main's store. It sends no actions to main. */
export interface ParleySyncBridge {
  /**
   * Fetches main's shared state as JSON: `state`, with the sequence number and without messages; `newest`, the part with the newest
   * messages; `start`, the number of the action that began the conversation.
   */
  fetchState(): Promise<string>;
  /**
   * Fetches the part that ends before the message at index `before`, as JSON (`ConversationPart`). Resolves to `null` when the
   * conversation that began with the action number `start` has been replaced.
   */
  fetchPart(start: number, before: number): Promise<string | null>;
  /** Listens to the forwarded actions, in main's order; returns a function that stops listening. */
  onAction(listener: (action: unknown) => void): () => void;
}
