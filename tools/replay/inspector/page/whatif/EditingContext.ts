import { createContext, use } from 'react';

/** A frame that is being written: in place of another, or just after it. */
export interface Draft {
  readonly kind: 'replace' | 'insert';
  readonly record: number;
  readonly text: string;
}

interface Editing {
  readonly draft: Draft | undefined;
  /** Opens the editor, or closes it. */
  readonly setDraft: (draft: Draft | undefined) => void;
}

export const EditingContext = createContext<Editing>({ draft: undefined, setDraft: () => {} });

export const useEditing = (): Editing => use(EditingContext);
