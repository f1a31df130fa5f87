import { createContext, use } from 'react';

/** What is in the editor: a frame, which replaces another one or is inserted after it; or a close. `record` is that of the edit. */
export type Draft =
  | { readonly kind: 'replace' | 'insert'; readonly record: number; readonly text: string }
  | { readonly kind: 'close'; readonly record: number; readonly code: number; readonly reason: string };

interface Editing {
  readonly draft: Draft | undefined;
  /** Opens or closes the editor. */
  readonly setDraft: (draft: Draft | undefined) => void;
}

/** Provides what is in the editor to the components. */
export const EditingContext = createContext<Editing>({ draft: undefined, setDraft: () => {} });

/** Returns what is in the editor and the function that sets it. */
export const useEditing = (): Editing => use(EditingContext);
