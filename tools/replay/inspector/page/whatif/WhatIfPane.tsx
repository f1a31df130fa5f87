import type { Edit } from '../../protocol/protocol.ts';
import { IconButton, TextButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { Changes } from '../panes/DiffPane.tsx';
import { isParley } from '../session/inspectorState.ts';
import { CloseEditor, FrameEditor, recordName } from './Editors.tsx';

/** Shows the edits, their result, and the buttons to save or test it. */
export function WhatIfPane() {
  const edits = useInspectorState((state) => state.edits);
  const subject = useSubject();
  const { store } = useInspector();
  const draft = useInspectorState((state) => state.draft);
  const close = () => store.set({ draft: undefined });
  if (draft?.kind === 'close') return <CloseEditor draft={draft} onClose={close} />;
  if (draft !== undefined) return <FrameEditor draft={draft} onClose={close} />;
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="what-if scrolled" aria-label="Edits" tabIndex={0}>
      {edits.length === 0 ? (
        <p className="empty">
          Skip, edit or insert a frame or an action at the selected step, or edit a close, and see what the{' '}
          {subject} would have become.
        </p>
      ) : (
        <>
          <Edits edits={edits} />
          <Outcome />
        </>
      )}
    </section>
  );
}

/** Returns what the edits change. */
const useSubject = () => (useInspectorState(isParley) ? 'conversation' : 'state');

const RESULTS = { skip: 'is skipped', replace: 'is replaced by', close: 'closes with' } as const;

/** Describes an edit; the frame or the action follows the text. */
function describe({ kind, record }: Edit, edits: readonly Edit[]): string {
  const name = recordName(record, edits);
  if (kind === 'insert') return record === 0 ? 'Before record 1 comes' : `After ${name} comes`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${RESULTS[kind]}`;
}

function Edits({ edits }: { readonly edits: readonly Edit[] }) {
  const { whatIf } = useInspector();
  const last = edits.at(-1);
  return (
    <>
      <ul className="edits">
        {edits.map((edit, index) => (
          // The same frame can be inserted twice, so the index identifies it.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <span>{describe(edit, edits)}</span>
            {edit.kind === 'close' && <code>{`${edit.code} ${edit.reason}`}</code>}
            {'data' in edit && <code>{edit.data.slice(0, 300)}</code>}
            <IconButton
              icon="close"
              name={`Undo: ${describe(edit, edits)}`}
              onClick={() => whatIf.remove(edit)}
            />
          </li>
        ))}
      </ul>
      <p className="undo">
        <TextButton name="Undo the last edit" onClick={() => last && whatIf.remove(last)} />
        <TextButton name="Reset" onClick={whatIf.discard} />
      </p>
    </>
  );
}

function Outcome() {
  const { navigate, whatIf, store } = useInspector();
  const edited = useInspectorState((state) => state.edited);
  const subject = useSubject();
  if (edited === undefined) return null;
  const { firstDivergence: first, diff } = edited;
  const goTo = (step: number) => {
    if (store.get().branch !== 'edited') whatIf.show('edited');
    navigate.go(step);
  };
  return (
    <>
      <p className="outcome">
        {first === undefined ? (
          `The ${subject} is the same at every step.`
        ) : (
          <>
            The {subject} is another from <TextButton name={`step ${first}`} onClick={() => goTo(first)} />{' '}
            on.
          </>
        )}
      </p>
      <h3>At the end</h3>
      <Changes changes={diff} total={diff.length} none={`The ${subject} is as it was recorded.`} />
    </>
  );
}
