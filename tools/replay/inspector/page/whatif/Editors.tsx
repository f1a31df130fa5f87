import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { describeRejection } from '../../../base/describeUpdate.ts';
import type { Edit } from '../../protocol/protocol.ts';
import { Choice } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { type Draft, isParley } from '../session/inspectorState.ts';
import { errorText } from '../session/inspectorStore.ts';
import { nextInsertion } from '../session/whatIf.ts';

interface FrameProps {
  readonly draft: Extract<Draft, { text: string }>;
  readonly onClose: () => void;
}

const INSERTED = [
  ['frame', 'Frame'],
  ['action', 'Action'],
] as const;

/** Edits the text of a frame or of an action. The platform can send any text as a frame; an action must be one that the app could have recorded. */
export function FrameEditor({ draft, onClose }: FrameProps) {
  const { whatIf, store } = useInspector();
  const [what, setWhat] = useState<'frame' | 'action'>(draft.isAction ? 'action' : 'frame');
  const initialText = what === 'action' ? (draft.action ?? draft.text) : draft.text;
  const [entered, setEntered] = useState<string>();
  const [error, setError] = useState<string>();
  const text = entered ?? initialText;
  const ofParley = useInspectorState(isParley);
  const edits = useInspectorState((state) => state.edits);
  const rejection = useMemo(
    () => (ofParley && what === 'frame' ? rejectionOf(text) : undefined),
    [text, ofParley, what],
  );
  const id = useId();
  const area = useFocus<HTMLTextAreaElement>();
  const enter = (to: string | undefined, kind = what) => {
    setWhat(kind);
    setEntered(to);
    setError(undefined);
  };
  const apply = () => {
    const { kind, record } = draft;
    const insertion = { id: nextInsertion(store.get().edits), ...(what === 'action' && { isAction: true }) };
    const edit =
      kind === 'replace' ? { kind, record, data: text } : { kind, record, data: text, ...insertion };
    whatIf.add(edit).then(onClose, (thrown: unknown) => setError(errorText(thrown)));
  };
  return (
    <EditorForm className="frame-editor" onApply={apply} onClose={onClose}>
      <div className="editor-head">
        <label htmlFor={id}>{titleOf(draft, edits)}</label>
        {draft.action !== undefined && (
          <Choice
            name="What to insert"
            options={INSERTED}
            value={what}
            onChoose={(to) => enter(undefined, to)}
          />
        )}
      </div>
      <textarea
        id={id}
        ref={area}
        spellCheck={false}
        value={text}
        aria-invalid={error !== undefined}
        onChange={({ target }) => enter(target.value)}
      />
      <EditorFoot onClose={onClose}>
        <output className={error === undefined ? 'faint' : 'error'}>
          {error ??
            (rejection === undefined
              ? 'Ctrl+Enter applies it'
              : `The app would reject this: ${rejection}. You may still try.`)}
        </output>
      </EditorFoot>
    </EditorForm>
  );
}

/** Returns a reference to an element that gets the focus when it appears. */
function useFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}

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

interface FormProps {
  readonly className: string;
  readonly label?: string;
  readonly onApply: (form: FormData) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form that Ctrl+Enter submits and Escape closes. */
function EditorForm({ className, label, onApply, onClose, children }: FormProps) {
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
    <form className={className} aria-label={label} onSubmit={submit} onKeyDown={key}>
      {children}
    </form>
  );
}

const EditorFoot = ({
  onClose,
  children,
}: {
  readonly onClose: () => void;
  readonly children?: ReactNode;
}) => (
  <div className="form-foot">
    {children}
    <button type="button" className="secondary" onClick={onClose}>
      Cancel
    </button>
    <button type="submit" className="primary">
      Apply
    </button>
  </div>
);

interface CloseProps {
  readonly draft: Extract<Draft, { kind: 'close' }>;
  readonly onClose: () => void;
}

/** Edits the code and the reason of a close. */
export function CloseEditor({ draft: { record, code, reason }, onClose }: CloseProps) {
  const { whatIf, fail } = useInspector();
  const title = `What if record ${record} closed like this?`;
  const first = useFocus<HTMLInputElement>();
  const apply = (form: FormData) => {
    whatIf
      .add({ kind: 'close', record, code: Number(form.get('code')), reason: fieldOf(form, 'reason') })
      .catch(fail);
    onClose();
  };
  return (
    <EditorForm className="close-editor" label={title} onApply={apply} onClose={onClose}>
      <p>{title}</p>
      <label>
        Code
        <input ref={first} name="code" type="number" min={1000} max={4999} required defaultValue={code} />
      </label>
      <label>
        Reason
        <input name="reason" maxLength={123} defaultValue={reason} spellCheck={false} />
      </label>
      <EditorFoot onClose={onClose} />
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
