import { useId } from 'react';
import { useSelector } from 'react-redux';
import type { ParleyToolsBridge, SettingsDialogData } from '#shared/ipc/tools.ts';
import { type Preferences, THEMES } from '#shared/store/preferences.ts';
import { selectPreferences } from '#shared/store/selectors.ts';
import { CaptureSettings } from './CaptureSettings.tsx';
import { Dialog } from './Dialog.tsx';

interface Props extends SettingsDialogData {
  readonly tools: Pick<ParleyToolsBridge, 'send'>;
  readonly onClose: () => void;
}

/** Shows the preferences. A change takes effect, and is stored, immediately. */
export function Settings({ captures, stored, tools, onClose }: Props) {
  const preferences = useSelector(selectPreferences);
  const set = (change: Partial<Preferences>) => tools.send('setPreference', change);
  return (
    <Dialog title="Settings" onClose={onClose}>
      <ThemeChoice theme={preferences.theme} onChange={(theme) => set({ theme })} />
      <VoiceSwitch
        isOn={preferences.audio}
        isFixed={preferences.fromEnvironment.includes('audio')}
        onChange={(audio) => set({ audio })}
      />
      <CaptureSettings
        captures={captures}
        stored={stored}
        limits={preferences}
        onChange={(change) => {
          set(change);
          // The change may delete recordings: requests the new sizes.
          tools.send('openSettings');
        }}
      />
      <section className="setting">
        <h3>Your data</h3>
        <button type="button" className="secondary" onClick={() => tools.send('openDeleteData')}>
          Delete my data…
        </button>
      </section>
    </Dialog>
  );
}

const THEME_NAMES: Readonly<Record<Preferences['theme'], string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
};

interface ThemeProps {
  readonly theme: Preferences['theme'];
  readonly onChange: (theme: Preferences['theme']) => void;
}

function ThemeChoice({ theme, onChange }: ThemeProps) {
  const name = useId();
  return (
    <fieldset className="setting">
      <legend>Appearance</legend>
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

interface VoiceProps {
  readonly isOn: boolean;
  /** Whether the environment sets it. */
  readonly isFixed: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function VoiceSwitch({ isOn, isFixed, onChange }: VoiceProps) {
  const noteId = useId();
  return (
    <div className="setting">
      <label className="switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          disabled={isFixed}
          aria-describedby={noteId}
          onChange={(event) => onChange(event.target.checked)}
        />
        Voice
      </label>
      <p id={noteId}>
        {isFixed
          ? 'Set by the environment variable PARLEY_AUDIO. To choose here, start Parley without it.'
          : 'Record with Ctrl+Enter (⌘+Enter) or the microphone button, and hear sounds as they come.'}
      </p>
    </div>
  );
}
