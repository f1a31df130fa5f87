import { type ReactNode, useId } from 'react';
import { useSelector } from 'react-redux';
import type { SettingsDialogData, StoredCaptures } from '#shared/ipc/channels.ts';
import { type Preferences, THEMES } from '#shared/ipc/preferencesSchema.ts';
import type { UserAction } from '#shared/actions/actionTable.ts';
import {
  diagnosticsCopyRequested,
  dialogRequested,
  inspectorRequested,
  preferencesChanged,
  sessionSaveRequested,
} from '#shared/actions/userActions.ts';
import { dialogClosed } from '#shared/actions/windowActions.ts';
import { selectPreferences } from '#shared/store/rootReducer.ts';
import type { AssistantSummary } from '#shared/protocol/assistantSettings.ts';
import { formatBytes, pluralize } from '#shared/formatText.ts';
import { useWindowState } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';
import { Dialog } from './Dialog.tsx';

/** Shows the preferences. A change takes effect, and is stored, immediately. */
export function Settings({ captures, stored, assistant }: SettingsDialogData) {
  const commands = useWindowCommands();
  const preferences = useSelector(selectPreferences);
  const set = (change: Partial<Preferences>) => commands.send(preferencesChanged(change));
  const open = (dialog: 'assistant' | 'deleteData') => commands.send(dialogRequested({ dialog }));
  const isVoiceFixed = preferences.fromEnvironment.includes('audio');
  return (
    <Dialog title="Settings">
      {assistant !== undefined && (
        <Section name="Assistant">
          <AssistantSetting {...assistant} onOpen={() => open('assistant')} />
        </Section>
      )}
      <Section name="Appearance">
        <ThemeChoice theme={preferences.theme} onChange={(theme) => set({ theme })} />
      </Section>
      <Section name="Conversation">
        <SwitchSetting
          label="Stay where I read"
          note="While you have scrolled up, new messages do not move the conversation. Otherwise each one scrolls to the newest."
          isOn={preferences.stayWhereIRead}
          onChange={(stayWhereIRead) => set({ stayWhereIRead })}
        />
        <SwitchSetting
          label="Send all dropped files"
          note="When you drop or paste several files, all of them are sent, one after the other. Otherwise only the first is sent."
          isOn={preferences.sendAllFiles}
          onChange={(sendAllFiles) => set({ sendAllFiles })}
        />
        <SwitchSetting
          label="Voice"
          note={isVoiceFixed ? VOICE_FIXED : VOICE_NOTE}
          isOn={preferences.audio}
          isDisabled={isVoiceFixed}
          onChange={(audio) => set({ audio })}
        />
      </Section>
      <Section name="Privacy and data">
        <div className="setting">
          <p>Parley keeps your account, settings, recordings and logs on this computer.</p>
          <button type="button" className="secondary" onClick={() => open('deleteData')}>
            Delete my data…
          </button>
        </div>
      </Section>
      <Section name="Developer">
        <DeveloperTools />
        <CaptureSettings
          captures={captures}
          stored={stored}
          limits={preferences}
          onChange={(change) => {
            set(change);
            // The change may delete recordings: requests the new sizes.
            commands.send(dialogRequested({ dialog: 'settings' }));
          }}
        />
      </Section>
    </Dialog>
  );
}

interface SectionProps {
  readonly name: string;
  readonly children: ReactNode;
}

function Section({ name, children }: SectionProps) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h3 id={id}>{name}</h3>
      {children}
    </section>
  );
}

/** Shows what a developer does with the session. It closes the dialog, behind which the answer is shown. */
function DeveloperTools() {
  const { dispatch, send } = useWindowCommands();
  const isSignedIn = useWindowState('view') === 'conversation';
  const tool = (name: string, action: UserAction) => (
    <button
      type="button"
      className="secondary"
      onClick={() => {
        dispatch(dialogClosed());
        send(action);
      }}
    >
      {name}
    </button>
  );
  return (
    <div className="setting setting-tools">
      {isSignedIn && tool('Save this session', sessionSaveRequested())}
      {isSignedIn && tool('Inspect this session', inspectorRequested())}
      {tool('Copy diagnostics', diagnosticsCopyRequested())}
    </div>
  );
}

const THEME_NAMES: Readonly<Record<Preferences['theme'], string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

interface ThemeProps extends Pick<Preferences, 'theme'> {
  readonly onChange: (theme: Preferences['theme']) => void;
}

function ThemeChoice({ theme, onChange }: ThemeProps) {
  const name = useId();
  return (
    <fieldset className="setting" aria-label="Appearance">
      <div className="choices">
        {THEMES.map((one) => (
          <label key={one}>
            <input type="radio" name={name} checked={one === theme} onChange={() => onChange(one)} />
            {THEME_NAMES[one]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const VOICE_NOTE = 'Record with Ctrl+Enter (⌘+Enter) or the microphone button, and hear sounds as they come.';
const VOICE_FIXED = 'Set by the environment variable PARLEY_AUDIO. To choose here, start Parley without it.';

interface SwitchSettingProps {
  readonly label: string;
  /** Explains the setting. */
  readonly note: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Shows a setting that is on or off, with its explanation. */
function SwitchSetting({ label, note, isOn, isDisabled = false, onChange }: SwitchSettingProps) {
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

/** Shows which assistant answers, with a button that opens its settings. */
const AssistantSetting = ({ url, model, onOpen }: AssistantSummary & { readonly onOpen: () => void }) => (
  <div className="setting">
    {url === null ? (
      <p>
        The demonstration answers: it repeats what you write. To converse, connect a language model: a server
        on this computer or a hosted one.
      </p>
    ) : (
      <p>
        {model ?? 'The first model'} at <code>{url}</code>
      </p>
    )}
    <button type="button" className="secondary" onClick={onOpen}>
      Choose the assistant…
    </button>
  </div>
);

interface CaptureSettingsProps extends Pick<SettingsDialogData, 'captures' | 'stored'> {
  readonly limits: Preferences;
  readonly onChange: (change: Partial<Preferences>) => void;
}

/** Shows the number and size of recorded and saved sessions, and the limits of recordings. */
const CaptureSettings = ({ captures, stored, limits, onChange }: CaptureSettingsProps) => (
  <div className="setting">
    <h4>Recorded and saved sessions</h4>
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
  </div>
);

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
