import { CloseIcon } from '#ui/base/icons.tsx';
import type { Cell } from '../base/cell.ts';
import type { Note } from './followNotes.ts';
import { useCell } from '../base/useCell.ts';

interface Props {
  readonly note: Cell<Note | undefined>;
}

/** Shows the current note, which screen readers announce. It does not block the window. */
export function NoteBar({ note: noteCell }: Props) {
  const note = useCell(noteCell);
  return (
    <div className="note" aria-live="polite">
      {note && (
        <>
          <p>
            {note.text} {note.path !== undefined && <code>{note.path}</code>}
          </p>
          <button
            type="button"
            className="quiet"
            aria-label="Dismiss"
            onClick={() => noteCell.set(undefined)}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </div>
  );
}
