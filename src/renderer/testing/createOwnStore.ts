import type { OwnAction } from '#shared/actions/actionTable.ts';
import { initialOwnState, ownReducer } from '#shared/window/ownReducer.ts';
import type { OwnStore } from '../store/ownStore.ts';

/** A store with a window's own state only, and the actions that were dispatched. */
interface RecordingStore extends OwnStore {
  readonly dispatched: OwnAction[];
}

/** Creates the store of a window whose page has just loaded. */
export function createOwnStore(): RecordingStore {
  let own = initialOwnState;
  const dispatched: OwnAction[] = [];
  return {
    dispatched,
    getState: () => ({ own }),
    dispatch(action) {
      dispatched.push(action);
      own = ownReducer(own, action);
    },
  };
}
