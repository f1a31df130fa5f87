import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { useInspector } from '../session/InspectorContext.ts';
import type { Draft } from './EditingContext.ts';

interface Props {
  readonly draft: Extract<Draft, { kind: 'close' }>;
  readonly onClose: () => void;
}

/** Edits the code and the reason of a close. */
export function CloseEditor({ draft, onClose }: Props) {
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

function Fields({ draft: { code, reason } }: Pick<Props, 'draft'>) {
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
