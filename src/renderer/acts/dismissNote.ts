import { noteDismissed } from '#shared/window/notes.ts';
import type { OwnState } from '#shared/window/ownReducer.ts';
import type { OwnStore } from '../store/ownStore.ts';

/** What reading and dismissing a note needs. */
export interface NoteDeps extends Pick<OwnStore, 'dispatch'> {
  readonly getState: () => { readonly own: Pick<OwnState, 'notes'> };
}

/** Dismisses the shown note if its text is outdated. */
export function dismissNote({ getState, dispatch }: NoteDeps, isOutdated: (text: string) => boolean): void {
  const { notes } = getState().own;
  if (notes !== null && isOutdated(notes.text)) dispatch(noteDismissed());
}
