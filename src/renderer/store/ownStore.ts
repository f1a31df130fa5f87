import type { OwnAction } from '#shared/window/ownActions.ts';
import type { OwnState } from '#shared/window/ownReducer.ts';

/** The part of the window's store that its acts use. */
export interface OwnStore {
  readonly getState: () => { readonly own: OwnState };
  readonly dispatch: (action: OwnAction) => void;
}
