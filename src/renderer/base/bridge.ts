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

/** What the preload gives the window to speak with main. */
export interface Bridge {
  readonly parley: ParleyBridge;
  readonly tools: ParleyToolsBridge;
}
