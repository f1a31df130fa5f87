import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly autoComplete: string;
  /** The line that describes it, when that line is about this field's error. */
  readonly errorId?: string | undefined;
  readonly type?: HTMLInputTypeAttribute;
  readonly inputMode?: 'email' | 'text';
  /** A word on the label's line. */
  readonly note?: string;
  /** What stands at the field's end. */
  readonly children?: ReactNode;
}

/** A labelled line of text. */
export function Field({ label, value, onInput, errorId, type = 'text', note, children, ...rest }: Props) {
  const id = useId();
  const noteId = useId();
  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {note !== undefined && (
          <span id={noteId} className="field-note">
            {note}
          </span>
        )}
      </div>
      <div className="field-box">
        <input
          id={id}
          type={type}
          value={value}
          onChange={(event) => onInput(event.target.value)}
          aria-invalid={errorId !== undefined}
          aria-describedby={errorId ?? (note === undefined ? undefined : noteId)}
          autoCapitalize="none"
          spellCheck={false}
          {...rest}
        />
        {children}
      </div>
    </div>
  );
}
