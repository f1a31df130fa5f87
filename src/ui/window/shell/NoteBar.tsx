import { noteDismissed } from '#shared/window/notes.ts';
import { CloseIcon } from '#ui/base/icons.tsx';
import { useLive } from '../base/Picture.ts';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';

/** Shows the current note, which screen readers announce. It does not block the window. */
export function NoteBar() {
  const note = useOwn('notes');
  const { dispatch } = useWindowActs();
  return (
    <div className="note" aria-live={useLive()}>
      {note && (
        <>
          <p>
            {note.text} {note.path !== undefined && <code dir="auto">{note.path}</code>}
          </p>
          <button
            type="button"
            className="quiet"
            aria-label="Dismiss"
            onClick={() => dispatch(noteDismissed())}
          >
            <CloseIcon />
          </button>
        </>
      )}
    </div>
  );
}
