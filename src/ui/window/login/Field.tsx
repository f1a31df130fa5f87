import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';

interface Props {
  readonly label: string;
  /** `undefined`: the value is only in the element. */
  readonly value?: string;
  readonly onInput: (value: string) => void;
  readonly autoComplete: string;
  /** The id of the element that shows this field's error, while it does. */
  readonly errorId?: string | undefined;
  readonly type?: HTMLInputTypeAttribute;
  readonly inputMode?: 'email' | 'text';
  /** A short note beside the label. */
  readonly note?: string;
  /** Shown at the end of the field. */
  readonly children?: ReactNode;
}

/** Shows a labelled text field. */
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
          dir="auto"
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
