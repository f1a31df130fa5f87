import { pluralize } from '#shared/pluralize.ts';
import { useId } from 'react';
import type { SettingsDialogData, StoredCaptures } from '#shared/ipc/tools.ts';
import type { Preferences } from '#shared/store/preferences.ts';
import { formatBytes } from '#ui/base/formatBytes.ts';

type Limits = Pick<Preferences, 'captureDays' | 'captureMegabytes'>;

interface Props extends SettingsDialogData {
  readonly limits: Limits;
  readonly onChange: (change: Partial<Limits>) => void;
}

/** Shows the number and size of recorded and saved sessions, and the limits of recordings. */
export function CaptureSettings({ captures, stored, limits, onChange }: Props) {
  return (
    <section className="setting">
      <h3>Recorded and saved sessions</h3>
      <p>
        {describeStored(stored)} They stay on this computer, in <code>{captures}</code>
      </p>
      <LimitChoice
        label="Keep recordings for"
        values={[7, 30, 90, 365]}
        value={limits.captureDays}
        format={formatDays}
        onChange={(captureDays) => onChange({ captureDays })}
      />
      <LimitChoice
        label="Keep recordings up to"
        values={[100, 1000, 10_000]}
        value={limits.captureMegabytes}
        format={formatMegabytes}
        onChange={(captureMegabytes) => onChange({ captureMegabytes })}
      />
      <p>Older recordings are deleted. Sessions that you saved are not.</p>
    </section>
  );
}

const describeStored = ({ recorded, saved }: StoredCaptures) =>
  `${recorded.files} recorded (${formatBytes(recorded.bytes)}), ${saved.files} saved (${formatBytes(saved.bytes)}).`;

const formatDays = (days: number) => (days === 365 ? '1 year' : pluralize(days, 'day'));

const formatMegabytes = (megabytes: number) =>
  megabytes % 1000 === 0 ? `${megabytes / 1000} GB` : `${megabytes} MB`;

interface ChoiceProps {
  readonly label: string;
  readonly values: readonly number[];
  /** `null`: no limit. A value from the preferences file that is not in `values` is offered too. */
  readonly value: number | null;
  readonly format: (value: number) => string;
  readonly onChange: (value: number | null) => void;
}

function LimitChoice({ label, values, value, format, onChange }: ChoiceProps) {
  const id = useId();
  const offered = value === null || values.includes(value) ? values : [...values, value];
  return (
    <div className="choice">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {format(one)}
          </option>
        ))}
        <option value="">No limit</option>
      </select>
    </div>
  );
}
