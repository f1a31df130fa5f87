import type { ParleyBridge, ParleySyncBridge, ParleyToolsBridge } from '#shared/ipc/channels.ts';

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
