import type { ParleyBridge } from '#shared/ipc/channels.ts';
import type { ParleySyncBridge } from '#shared/ipc/sync.ts';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';

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
