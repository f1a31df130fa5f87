import { useId } from 'react';

interface Props {
  readonly label: string;
  /** Explains the setting. */
  readonly note: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Shows a setting that is on or off, with its explanation. */
export function SwitchSetting({ label, note, isOn, isDisabled = false, onChange }: Props) {
  const noteId = useId();
  return (
    <div className="setting">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isDisabled}
          aria-describedby={noteId}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      <p id={noteId}>{note}</p>
    </div>
  );
}
