/** electron-redux's own channels, of which two are used: main forwards actions, a window fetches the state. */
export const SYNC_ACTION = 'electron-redux.ACTION';
export const SYNC_STATE = 'electron-redux.INIT_STATE_ASYNC';
/** electron-redux's synchronous state request, which Parley does not answer. */
export const SYNC_STATE_BLOCKING = 'electron-redux.INIT_STATE';
/** Ours: a window fetches one part more of the conversation. */
export const SYNC_PART = 'parley.CONVERSATION_PART';

/** `window.parleySync`: how the window's store follows main's. Nothing goes the other way. */
export interface ParleySyncBridge {
  /**
   * Main's shared state as JSON: `state`, with the sequence number and, in place of the messages, none; `newest`, the
   * part with the newest messages; `start`, the number of the action that began the conversation.
   */
  fetchState(): Promise<string>;
  /**
   * The part that ends before the message at index `before`, as JSON (`ConversationPart`); `null` when the conversation
   * that began with the action number `start` has been replaced.
   */
  fetchPart(start: number, before: number): Promise<string | null>;
  /** Hears each forwarded action, in main's order, until the function that it returns is called. */
  onAction(listener: (action: unknown) => void): () => void;
}
