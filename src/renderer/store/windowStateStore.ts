import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import type { ParleyBridge, ParleySyncBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';

/** The part of the window's store that its commands use. */
export interface WindowStateStore {
  readonly getState: () => { readonly own: WindowState };
  readonly dispatch: (action: WindowStateAction) => void;
}

declare global {
  interface Window {
    readonly parley: ParleyBridge;
    readonly parleyTools: ParleyToolsBridge;
    readonly parleySync: ParleySyncBridge;
  }
}

/** The preload's objects with which the window communicates with main. */
export interface Bridge {
  readonly parley: ParleyBridge;
  readonly tools: ParleyToolsBridge;
}

/**
 * Returns whether a dialog, an alert or the viewer is in front of the window: it gets the keys. The state still contains one that is closed until its
 * event `close`, a task later; a key that is pressed in between is the window's.
 */
export const isBehindDialog = ({ alerts, dialog, viewer }: WindowState): boolean =>
  alerts.waiting.length > 1 ||
  ((alerts.waiting.length > 0 || dialog !== null || viewer !== null) &&
    document.querySelector('dialog[open]') !== null);

/** Returns whether the window shows the conversation. */
export const showsConversation = ({ view, startFailure }: WindowState): boolean =>
  view === 'conversation' && startFailure === null;
