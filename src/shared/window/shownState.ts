import type { SharedState } from '../store/rootReducer.ts';
import type { OwnState } from './ownReducer.ts';

/** The state of a window's store: what the window shows is a function of it. */
export interface ShownState extends SharedState {
  readonly own: OwnState;
}
