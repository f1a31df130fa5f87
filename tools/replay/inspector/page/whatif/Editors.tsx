import {
  type FormEvent,
  type ReactNode,
  type KeyboardEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { decodeUpdate } from '#shared/protocol/update.ts';
import { describeRejection } from '../../../base/describeUpdate.ts';
import { Choice } from '../parts/Choice.tsx';
import { errorText } from '../session/inspectorStore.ts';
import type { Edit } from '../../protocol/protocol.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { isParley } from '../session/inspectorState.ts';
import { nextInsertion } from '../session/whatIf.ts';
import type { Draft } from './FrameActions.tsx';

interface Props {
  readonly draft: Extract<Draft, { text: string }>;
  readonly onClose: () => void;
}

/**
 * Edits the text of a frame or of an action. Any text can be a frame, because the platform can send any text; an action must be one that the app could
 * have recorded.
 */
export function FrameEditor({ draft, onClose }: Props) {
  const { whatIf, store } = useInspector();
  const [isAction, setIsAction] = useState(draft.isAction);
  const [text, setText] = useState((isAction && draft.action) || draft.text);
  const [error, setError] = useState<string>();
  const ofParley = useInspectorState(isParley);
  const edits = useInspectorState((state) => state.edits);
  const rejection = useMemo(
    () => (ofParley && !isAction ? rejectionOf(text) : undefined),
    [text, ofParley, isAction],
  );
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    const { kind, record } = draft;
    const edit = { record, data: text };
    const insertion = nextInsertion(store.get().edits);
    whatIf
      .add(
        kind === 'replace'
          ? { kind, ...edit }
          : { kind, ...edit, id: insertion, ...(isAction && { isAction }) },
      )
      .then(onClose, (thrown: unknown) => setError(errorText(thrown)));
  };
  const choose = (what: 'frame' | 'action') => {
    setIsAction(what === 'action');
    setText((what === 'action' && draft.action) || draft.text);
    setError(undefined);
  };
  return (
    <form className="frame-editor" onSubmit={apply}>
      <div className="editor-head">
        <label htmlFor={id}>{titleOf(draft, edits)}</label>
        {draft.action !== undefined && <WhatToInsert isAction={isAction} onChoose={choose} />}
      </div>
      <textarea
        id={id}
        ref={area}
        spellCheck={false}
        value={text}
        onKeyDown={keysOf({ apply, onClose })}
        aria-invalid={error !== undefined}
        onChange={({ target }) => {
          setText(target.value);
          setError(undefined);
        }}
      />
      <EditorFoot error={error} onClose={onClose}>
        {rejection === undefined
          ? 'Ctrl+Enter applies it'
          : `The app would reject this: ${rejection}. You may still try.`}
      </EditorFoot>
    </form>
  );
}

/** Returns the handler of the keys that apply the text and close the editor. */
const keysOf =
  ({ apply, onClose }: { readonly apply: () => void; readonly onClose: () => void }) =>
  (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
    else return;
    event.preventDefault();
  };

interface FootProps {
  /** Why the text cannot be used. */
  readonly error: string | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const EditorFoot = ({ error, onClose, children }: FootProps) => (
  <div className="form-foot">
    <output className={error === undefined ? 'faint' : 'error'}>{error ?? children}</output>
    <button type="button" className="secondary" onClick={onClose}>
      Cancel
    </button>
    <button type="submit" className="primary">
      Apply
    </button>
  </div>
);

interface ChoiceProps {
  readonly isAction: boolean;
  readonly onChoose: (what: 'frame' | 'action') => void;
}

const WhatToInsert = ({ isAction, onChoose }: ChoiceProps) => (
  <Choice
    name="What to insert"
    options={INSERTED}
    value={isAction ? 'action' : 'frame'}
    onChoose={onChoose}
  />
);

const INSERTED = [
  ['frame', 'Frame'],
  ['action', 'Action'],
] as const;

function titleOf({ kind, record }: Props['draft'], edits: readonly Edit[]): string {
  if (kind === 'replace') return `What if ${recordName(record, edits)} were this?`;
  return record === 0
    ? 'What if this came before record 1?'
    : `What if this came after ${recordName(record, edits)}?`;
}

function rejectionOf(text: string): string | undefined {
  const decoded = decodeUpdate(text);
  return decoded.kind === 'rejected' ? describeRejection(decoded) : undefined;
}

interface CloseProps {
  readonly draft: Extract<Draft, { kind: 'close' }>;
  readonly onClose: () => void;
}

/** Edits the code and the reason of a close. */
export function CloseEditor({ draft, onClose }: CloseProps) {
  const { whatIf, fail } = useInspector();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const reason = form.get('reason');
    const edit = {
      kind: 'close',
      record: draft.record,
      code: Number(form.get('code')),
      reason: typeof reason === 'string' ? reason : '',
    } as const;
    whatIf.add(edit).catch(fail);
    onClose();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    // The key works in every field of the form.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="close-editor"
      aria-label={`What if record ${draft.record} closed like this?`}
      onSubmit={apply}
      onKeyDown={key}
    >
      <p>What if record {draft.record} closed like this?</p>
      <Fields draft={draft} />
      <div className="form-foot">
        <button type="button" className="secondary" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" className="primary">
          Apply
        </button>
      </div>
    </form>
  );
}

function Fields({ draft: { code, reason } }: Pick<CloseProps, 'draft'>) {
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <label>
        Code
        <input ref={first} name="code" type="number" min={1000} max={4999} required defaultValue={code} />
      </label>
      <label>
        Reason
        <input name="reason" maxLength={123} defaultValue={reason} spellCheck={false} />
      </label>
    </>
  );
}

/** Returns what the page calls the record of an edit. */
export function recordName(record: number, edits: readonly Edit[]): string {
  if (record >= 0) return `record ${record}`;
  const isAction = edits.some((edit) => edit.kind === 'insert' && edit.id === -record && edit.isAction);
  return `inserted ${isAction ? 'action' : 'frame'} ${-record}`;
}
