import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import { initialWindowState, windowStateReducer } from '#shared/store/windowState.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/** A store with a window's state only, and the actions that were dispatched. */
interface RecordingStore extends WindowStateStore {
  readonly dispatched: WindowStateAction[];
}

/** Creates the store of a window whose page has just loaded. */
export function createWindowStateStore(): RecordingStore {
  let own = initialWindowState;
  const dispatched: WindowStateAction[] = [];
  return {
    dispatched,
    getState: () => ({ own }),
    dispatch(action) {
      dispatched.push(action);
      own = windowStateReducer(own, action);
    },
  };
}
