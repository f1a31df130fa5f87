import {
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useState,
} from 'react';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { describeRejection } from '../../../base/describeUpdate.ts';
import type { Edit } from '../../protocol/protocol.ts';
import { Choice, TextButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { type Draft, isParley } from '../session/inspectorState.ts';
import { errorText } from '../session/inspectorStore.ts';
import { nextInsertion } from '../session/whatIf.ts';

type FrameProps = Readonly<{ draft: Extract<Draft, { text: string }>; onClose: () => void }>;

const INSERTED = [
  ['frame', 'Frame'],
  ['action', 'Action'],
] as const;

/** Edits the text of a frame or of an action. The platform can send any text as a frame; an action must be one that the app could have recorded. */
export function FrameEditor({ draft, onClose }: FrameProps) {
  const { whatIf, store } = useInspector();
  const [what, setWhat] = useState<'frame' | 'action'>(draft.isAction ? 'action' : 'frame');
  const initialText = (kind = what) => (kind === 'action' ? (draft.action ?? draft.text) : draft.text);
  const [text, setText] = useState(initialText);
  const [error, setError] = useState<string>();
  const ofParley = useInspectorState(isParley);
  const edits = useInspectorState((state) => state.edits);
  const rejection = ofParley && what === 'frame' ? rejectionOf(text) : undefined;
  const id = useId();
  const enter = (to: string, kind = what) => {
    setWhat(kind);
    setText(to);
    setError(undefined);
  };
  const apply = () => {
    const { kind, record } = draft;
    const insertion = { id: nextInsertion(store.get().edits), ...(what === 'action' && { isAction: true }) };
    const edit = { record, data: text };
    const added: Edit = kind === 'replace' ? { kind, ...edit } : { kind, ...edit, ...insertion };
    whatIf.add(added).then(onClose, (thrown: unknown) => setError(errorText(thrown)));
  };
  const note =
    rejection === undefined
      ? 'Ctrl+Enter applies it'
      : `The app would reject this: ${rejection}. You may still try.`;
  return (
    <EditorForm
      className="frame-editor"
      note={<output className={error === undefined ? 'faint' : 'error'}>{error ?? note}</output>}
      onApply={apply}
      onClose={onClose}
    >
      <div className="editor-head">
        <label htmlFor={id}>{titleOf(draft, edits)}</label>
        {draft.action !== undefined && (
          <Choice
            name="What to insert"
            options={INSERTED}
            value={what}
            onChoose={(to) => enter(initialText(to), to)}
          />
        )}
      </div>
      <textarea
        id={id}
        ref={focus}
        spellCheck={false}
        value={text}
        aria-invalid={error !== undefined}
        onChange={({ target }) => enter(target.value)}
      />
    </EditorForm>
  );
}

/** Gives an element that appears the focus. */
const focus = (element: HTMLElement | null) => element?.focus();

function titleOf({ kind, record }: FrameProps['draft'], edits: readonly Edit[]): string {
  if (kind === 'replace') return `What if ${recordName(record, edits)} were this?`;
  return record === 0
    ? 'What if this came before record 1?'
    : `What if this came after ${recordName(record, edits)}?`;
}

function rejectionOf(text: string): string | undefined {
  const decoded = decodeUpdate(text);
  return decoded.kind === 'rejected' ? describeRejection(decoded) : undefined;
}

interface FormProps extends ComponentProps<'form'> {
  /** What is beside the buttons. */
  readonly note?: ReactNode;
  readonly onApply: (form: FormData) => void;
  readonly onClose: () => void;
}

/** A form that Ctrl+Enter submits and Escape closes. */
function EditorForm({ note, onApply, onClose, children, ...form }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onApply(new FormData(event.currentTarget));
  };
  const key = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
    else return;
    event.preventDefault();
  };
  return (
    // The keys work in every field of the form.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form {...form} onSubmit={submit} onKeyDown={key}>
      {children}
      <div className="form-foot">
        {note}
        <TextButton className="secondary" name="Cancel" onClick={onClose} />
        <TextButton className="primary" name="Apply" type="submit" />
      </div>
    </form>
  );
}

type CloseProps = Readonly<{ draft: Extract<Draft, { kind: 'close' }>; onClose: () => void }>;

/** Edits the code and the reason of a close. */
export function CloseEditor({ draft: { record, code, reason }, onClose }: CloseProps) {
  const { whatIf, fail } = useInspector();
  const title = `What if record ${record} closed like this?`;
  const apply = (form: FormData) => {
    whatIf
      .add({ kind: 'close', record, code: Number(form.get('code')), reason: fieldOf(form, 'reason') })
      .catch(fail);
    onClose();
  };
  return (
    <EditorForm className="close-editor" aria-label={title} onApply={apply} onClose={onClose}>
      <p>{title}</p>
      <label>
        Code
        <input ref={focus} name="code" type="number" min={1000} max={4999} required defaultValue={code} />
      </label>
      <label>
        Reason
        <input name="reason" maxLength={123} defaultValue={reason} spellCheck={false} />
      </label>
    </EditorForm>
  );
}

/** Returns the text of a field of a form. */
export function fieldOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** Returns what the page calls the record of an edit. */
export function recordName(record: number, edits: readonly Edit[]): string {
  if (record >= 0) return `record ${record}`;
  const isAction = edits.some((edit) => edit.kind === 'insert' && edit.id === -record && edit.isAction);
  return `inserted ${isAction ? 'action' : 'frame'} ${-record}`;
}
