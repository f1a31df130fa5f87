import type { OwnAction } from '#shared/actions/actionTable.ts';
import type { OwnState } from '#shared/actions/windowSchemas.ts';

/** The part of the window's store that its acts use. */
export interface OwnStore {
  readonly getState: () => { readonly own: OwnState };
  readonly dispatch: (action: OwnAction) => void;
}
