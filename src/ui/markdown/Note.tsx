import { type MouseEvent, type ReactNode, createContext, useContext } from 'react';

/** Provides the beginning of the ids of the footnotes of an answer. */
export const NotesContext = createContext('');

const noteId = (prefix: string, number: number): string => `${prefix}note-${number}`;

/** Shows an element without changing the address of the page. */
function goTo(event: MouseEvent, id: string): void {
  event.preventDefault();
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'nearest' });
  element?.focus({ preventScroll: true });
}

interface ReferenceProps {
  readonly number: number;
}

/** Draws the number of a footnote, as a link to it. */
export function NoteReference({ number }: ReferenceProps) {
  const prefix = useContext(NotesContext);
  const id = noteId(prefix, number);
  return (
    <sup>
      <a href={`#${id}`} aria-label={`Footnote ${number}`} onClick={(event) => goTo(event, id)}>
        {number}
      </a>
    </sup>
  );
}

interface NoteProps {
  /** `undefined` when another footnote has the same label. */
  readonly number: number | undefined;
  readonly children: ReactNode;
}

/** Draws a footnote. Its number is no part of its text. */
export function Note({ number, children }: NoteProps) {
  const prefix = useContext(NotesContext);
  return (
    <div
      className="footnote"
      role="note"
      aria-label={number === undefined ? undefined : `Footnote ${number}`}
      dir="auto"
      id={number === undefined ? undefined : noteId(prefix, number)}
      tabIndex={-1}
      data-number={number}
    >
      {children}
    </div>
  );
}
