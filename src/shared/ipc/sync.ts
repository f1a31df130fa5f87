/** electron-redux's own channels, of which two are used: main forwards actions, a window fetches the state. */
export const SYNC_ACTION = 'electron-redux.ACTION';
export const SYNC_STATE = 'electron-redux.INIT_STATE_ASYNC';
/** electron-redux's synchronous state request, which Parley does not answer. */
export const SYNC_STATE_BLOCKING = 'electron-redux.INIT_STATE';

/** `window.parleySync`: how the window's store follows main's. Nothing goes the other way. */
export interface ParleySyncBridge {
  /** Main's shared state as JSON, its sequence number within. */
  fetchState(): Promise<string>;
  /** Hears each forwarded action, in main's order, until the function that it returns is called. */
  onAction(listener: (action: unknown) => void): () => void;
}
