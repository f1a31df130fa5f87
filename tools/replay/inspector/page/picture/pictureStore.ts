import { type Store, legacy_createStore } from '@reduxjs/toolkit';
import type { ShownState } from '#shared/window/ownReducer.ts';
import type { Inspector } from '../session/createInspector.ts';

/** Creates a view of the inspector's state in the form of a window's store. It ignores actions; a picture of the state must be shown. */
export const pictureStore = ({ store }: Pick<Inspector, 'store'>): Store<ShownState> => {
  const state = (): ShownState => {
    const { picture } = store.get();
    if (picture === undefined) throw new Error('No step is shown.');
    return picture;
  };
  return { ...legacy_createStore(state), getState: state, subscribe: store.subscribe };
};
