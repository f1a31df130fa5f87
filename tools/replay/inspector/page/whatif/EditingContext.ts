import { createContext, use } from 'react';

/** A frame in the editor: it replaces another frame or is inserted after it. */
export interface Draft {
  readonly kind: 'replace' | 'insert';
  readonly record: number;
  readonly text: string;
}

interface Editing {
  readonly draft: Draft | undefined;
  /** Opens or closes the editor. */
  readonly setDraft: (draft: Draft | undefined) => void;
}

/** Provides the frame in the editor to the components. */
export const EditingContext = createContext<Editing>({ draft: undefined, setDraft: () => {} });

/** Returns the frame in the editor and the function that sets it. */
export const useEditing = (): Editing => use(EditingContext);
