import type { Edit } from '../../protocol/protocol.ts';
import { IconButton } from '../parts/IconButton.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { Changes } from '../panes/DiffPane.tsx';
import { useEditing } from './EditingContext.ts';
import { FrameEditor } from './FrameEditor.tsx';

/** Shows the edits, their result, and the buttons to save or test it. */
export function WhatIfPane() {
  const edits = useInspectorState((state) => state.edits);
  const { draft, setDraft } = useEditing();
  if (draft !== undefined) return <FrameEditor draft={draft} onClose={() => setDraft(undefined)} />;
  return (
    <div className="what-if">
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className="scrolled" aria-label="Edits" tabIndex={0}>
        {edits.length === 0 ? (
          <p className="empty">
            Skip, edit or insert a frame of the selected step, and see what the conversation would have
            become.
          </p>
        ) : (
          <>
            <Edits edits={edits} />
            <Outcome />
          </>
        )}
      </section>
    </div>
  );
}

const DESCRIPTIONS: Readonly<Record<Edit['kind'], (record: number) => string>> = {
  skip: (record) => `Record ${record} is skipped`,
  replace: (record) => `Record ${record} is replaced by`,
  insert: (record) => (record === 0 ? 'Before record 1 comes' : `After record ${record} comes`),
};

function Edits({ edits }: { readonly edits: readonly Edit[] }) {
  const { whatIf } = useInspector();
  return (
    <ul className="edits">
      {edits.map((edit, index) => (
        // The same frame can be inserted twice, so the index identifies it.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <span>{DESCRIPTIONS[edit.kind](edit.record)}</span>
          {'data' in edit && <code>{edit.data.slice(0, 300)}</code>}
          <IconButton
            icon="close"
            name={`Undo: ${DESCRIPTIONS[edit.kind](edit.record)}`}
            onClick={() => void whatIf.remove(edit)}
          />
        </li>
      ))}
    </ul>
  );
}

function Outcome() {
  const { navigate, whatIf, store } = useInspector();
  const edited = useInspectorState((state) => state.edited);
  if (edited === undefined) return null;
  const first = edited.firstDivergence;
  const goToFirst = () => {
    if (store.get().branch !== 'edited') whatIf.show('edited');
    if (first !== undefined) navigate.go(first);
  };
  return (
    <>
      <p className="outcome">
        {first === undefined ? (
          'The conversation is the same at every step.'
        ) : (
          <>
            The conversation is another from{' '}
            <button type="button" className="text-button" onClick={goToFirst}>
              step {first}
            </button>{' '}
            on.
          </>
        )}
      </p>
      <h3>At the end</h3>
      <Changes
        changes={edited.diff}
        total={edited.diff.length}
        none="The conversation is as it was recorded."
      />
    </>
  );
}
