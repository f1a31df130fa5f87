import { type FormEvent, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { decodeUpdate } from '#shared/protocol/decodeUpdate.ts';
import { describeRejection } from '../../../base/describeUpdate.ts';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { isParley } from '../session/state.ts';
import { nextInsertion } from '../session/whatIf.ts';
import type { Draft } from './FrameActions.tsx';

interface Props {
  readonly draft: Extract<Draft, { text: string }>;
  readonly onClose: () => void;
}

/** Edits the text of a frame. It accepts any text, because the platform can send any text. */
export function FrameEditor({ draft, onClose }: Props) {
  const { whatIf, store } = useInspector();
  const [text, setText] = useState(draft.text);
  const ofParley = useInspectorState(isParley);
  const rejection = useMemo(() => (ofParley ? rejectionOf(text) : undefined), [text, ofParley]);
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const apply = (event?: FormEvent) => {
    event?.preventDefault();
    const { kind, record } = draft;
    const edit = { record, data: text };
    void whatIf.add(
      kind === 'replace' ? { kind, ...edit } : { kind, ...edit, id: nextInsertion(store.get().edits) },
    );
    onClose();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply();
    else return;
    event.preventDefault();
  };
  return (
    <form className="frame-editor" onSubmit={apply}>
      <label htmlFor={id}>{titleOf(draft)}</label>
      <textarea
        id={id}
        ref={area}
        spellCheck={false}
        value={text}
        onKeyDown={key}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="form-foot">
        <output className="faint">
          {rejection === undefined
            ? 'Ctrl+Enter applies it'
            : `The app would reject this: ${rejection}. You may still try.`}
        </output>
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

function titleOf({ kind, record }: Props['draft']): string {
  if (kind === 'replace') return `What if ${recordName(record)} were this?`;
  return record === 0
    ? 'What if this came before record 1?'
    : `What if this came after ${recordName(record)}?`;
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
  const { whatIf } = useInspector();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const reason = form.get('reason');
    void whatIf.add({
      kind: 'close',
      record: draft.record,
      code: Number(form.get('code')),
      reason: typeof reason === 'string' ? reason : '',
    });
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
export const recordName = (record: number): string =>
  record < 0 ? `inserted frame ${-record}` : `record ${record}`;
