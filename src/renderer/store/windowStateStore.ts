import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';

/** The part of the window's store that its commands use. */
export interface WindowStateStore {
  readonly getState: () => { readonly own: WindowState };
  readonly dispatch: (action: WindowStateAction) => void;
}
