import * as z from 'zod/mini';
import { tryParseJson } from '#shared/json.ts';
import { TextButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { type Draft, type InspectorState, isParley } from '../session/inspectorState.ts';

/** The initial texts of a frame and of an action that are inserted into a session of Parley. */
const NEW_FRAME =
  '{"id":"what-if","modifier":"ai","content":[{"category":"text","text":"What if?"}],"context":"Assistant"}';
const NEW_ACTION = { type: 'textBox/edited', payload: { text: 'What if?' }, window: 1 };

/** Returns the initial text of an inserted frame; for another app, the frame of the step. */
const newFrame = (state: InspectorState): string =>
  isParley(state) ? NEW_FRAME : state.view?.wire?.direction === 'received' ? state.view.wire.text : '{}';

const editedText = (action: object): string => JSON.stringify(action, null, 2);

/** Returns the selected action as the editor shows it; `undefined` when the step is no action. */
function actionOf({ view }: InspectorState): string | undefined {
  const parsed = actionSchema.safeParse(view?.row?.kind === 'action' && tryParseJson(view.wire?.text ?? ''));
  if (!parsed.success) return undefined;
  const { action, window } = parsed.data;
  return editedText({ ...action, ...(window !== undefined && { window }) });
}

const actionSchema = z.object({
  type: z.literal('action'),
  action: z.object({ type: z.string(), payload: z.optional(z.unknown()) }),
  window: z.optional(z.number()),
});

/** Shows the buttons that skip or edit the selected frame or action, or insert one after it. */
export function FrameActions() {
  const { store, whatIf, fail } = useInspector();
  const canEdit = useInspectorState((state) => draftOf(state) !== undefined);
  const hasFrame = useInspectorState((state) => state.view?.row !== undefined);
  const skip = () => void whatIf.add({ kind: 'skip', record: recordOf(store.get()) }).catch(fail);
  const setDraft = (draft: Draft | undefined) => store.set({ draft, frameTab: 'what-if' });
  const edit = () => setDraft(draftOf(store.get()));
  const insert = () => {
    const state = store.get();
    const selected = actionOf(state);
    const action = selected ?? editedText(isParley(state) ? NEW_ACTION : { type: '' });
    const isAction = selected !== undefined;
    setDraft({ kind: 'insert', record: recordOf(state), text: newFrame(state), action, isAction });
  };
  return (
    <fieldset className="frame-actions" aria-label="What if">
      <TextButton name="Skip" disabled={!hasFrame} onClick={skip} />
      <TextButton name="Edit…" disabled={!canEdit} onClick={edit} />
      <TextButton name="Insert after…" onClick={insert} />
    </fieldset>
  );
}

/** Returns the record of an edit of the selected step; 0: before all records. */
const recordOf = ({ view }: InspectorState): number => view?.editable ?? 0;

/** Returns the frame, the action or the close of the selected step for the editor; `undefined` when there is none to edit. */
function draftOf(state: InspectorState): Draft | undefined {
  const { view } = state;
  if (view?.wire === undefined) return undefined;
  const { wire, row, editable: record } = view;
  if (row?.kind === 'close') {
    const close = closeSchema.safeParse(tryParseJson(wire.text));
    return close.success ? { kind: 'close', record, ...close.data } : undefined;
  }
  const action = actionOf(state);
  if (action !== undefined) return { kind: 'replace', record, text: action, isAction: true };
  const isText = wire.direction !== 'none' && wire.encoding === 'text';
  return isText ? { kind: 'replace', record, text: wire.text, isAction: false } : undefined;
}

const closeSchema = z.object({ code: z.number(), reason: z.string() });
