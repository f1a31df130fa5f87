import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import type { AssistantField as Name } from '#shared/protocol/assistantSettings.ts';

interface Props {
  readonly name: Name;
  readonly label: string;
  readonly note: string;
  /** The value at first; later ones are only in the element. */
  readonly value: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  readonly isReadOnly: boolean;
  /** The id of the element that shows this field's error, while it does. */
  readonly errorId: string | undefined;
  readonly type?: HTMLInputTypeAttribute;
  /** The number of lines; `undefined`: a field of one line. */
  readonly lines?: number;
  /** The values that the field offers. */
  readonly offered?: readonly string[];
  readonly children?: ReactNode;
}

/** Shows a field of the dialog "Assistant". Its value is only in the element. */
export function AssistantField(props: Props) {
  const { name, label, note, value, placeholder, maxLength, isReadOnly, errorId, offered = [] } = props;
  const id = useId();
  const noteId = useId();
  const listId = useId();
  const given = {
    id,
    name,
    defaultValue: value,
    maxLength,
    readOnly: isReadOnly,
    'aria-invalid': errorId !== undefined,
    'aria-describedby': errorId === undefined ? noteId : `${errorId} ${noteId}`,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    ...(placeholder !== undefined && { placeholder }),
  };
  return (
    <div className="assistant-field">
      <label htmlFor={id}>{label}</label>
      {props.lines === undefined ? (
        <input type={props.type ?? 'text'} {...given} {...(offered.length > 0 && { list: listId })} />
      ) : (
        <textarea dir="auto" rows={props.lines} {...given} spellCheck />
      )}
      <p id={noteId}>{note}</p>
      {props.children}
      {offered.length > 0 && (
        <datalist id={listId}>
          {offered.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
      )}
    </div>
  );
}
