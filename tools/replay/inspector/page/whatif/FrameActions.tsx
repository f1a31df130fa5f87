import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { useEditing } from './EditingContext.ts';
import type { InspectorState } from '../session/state.ts';

/** The initial text of an inserted frame. */
const NEW_FRAME =
  '{"id":"what-if","modifier":"ai","content":[{"category":"text","text":"What if?"}],"context":"Assistant"}';

/** Shows the buttons that skip or edit the selected frame, or insert one after it. */
export function FrameActions() {
  const { store, whatIf } = useInspector();
  const { setDraft } = useEditing();
  const isEdited = useInspectorState((state) => state.branch === 'edited');
  const canEdit = useInspectorState((state) => frameOf(state)?.text !== undefined);
  const hasFrame = useInspectorState((state) => state.view?.row !== undefined);
  const withFrame = (act: (record: number, text: string) => void) => () => {
    const frame = frameOf(store.get());
    if (frame) act(frame.record, frame.text ?? '');
  };
  if (isEdited) {
    return (
      <button type="button" className="text-button" onClick={() => whatIf.show('recorded')}>
        Back to recorded
      </button>
    );
  }
  return (
    <fieldset className="frame-actions" aria-label="What if">
      <button
        type="button"
        className="text-button"
        disabled={!hasFrame}
        onClick={withFrame((record) => void whatIf.add({ kind: 'skip', record }))}
      >
        Skip
      </button>
      <button
        type="button"
        className="text-button"
        disabled={!canEdit}
        onClick={withFrame((record, text) => setDraft({ kind: 'replace', record, text }))}
      >
        Edit…
      </button>
      <button
        type="button"
        className="text-button"
        onClick={withFrame((record) => setDraft({ kind: 'insert', record, text: NEW_FRAME }))}
      >
        Insert after…
      </button>
    </fieldset>
  );
}

/** The record of the selected step, for the what-if: edits refer to the recorded capture. */
interface FrameChoice {
  /** 0: before all records. */
  readonly record: number;
  /** The text of the frame; `undefined` when there is no frame to edit. */
  readonly text: string | undefined;
}

/** Returns the editable part of the selected step; `undefined` in the edited branch. */
function frameOf({ branch, view }: InspectorState): FrameChoice | undefined {
  if (branch === 'edited' || view === undefined) return undefined;
  const { row, wire } = view;
  const isText = wire !== undefined && wire.direction !== 'none' && wire.encoding === 'text';
  return { record: row?.record ?? 0, text: isText ? wire.text : undefined };
}
