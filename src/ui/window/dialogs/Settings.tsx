import { useId } from 'react';
import { useSelector } from 'react-redux';
import type { SettingsDialogData } from '#shared/ipc/tools.ts';
import { type Preferences, THEMES } from '#shared/store/preferences.ts';
import { selectPreferences } from '#shared/store/selectors.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { AssistantSetting } from './AssistantSetting.tsx';
import { CaptureSettings } from './CaptureSettings.tsx';
import { Dialog } from './Dialog.tsx';
import { SwitchSetting } from './SwitchSetting.tsx';

/** Shows the preferences. A change takes effect, and is stored, immediately. */
export function Settings({ captures, stored, assistant }: SettingsDialogData) {
  const acts = useWindowActs();
  const preferences = useSelector(selectPreferences);
  const set = acts.setPreference;
  return (
    <Dialog title="Settings">
      <ThemeChoice theme={preferences.theme} onChange={(theme) => set({ theme })} />
      <VoiceSwitch
        isOn={preferences.audio}
        isFixed={preferences.fromEnvironment.includes('audio')}
        onChange={(audio) => set({ audio })}
      />
      <SwitchSetting
        label="Send all dropped files"
        note="When you drop or paste several files, all of them are sent, one after the other. Otherwise only the first is sent."
        isOn={preferences.sendAllFiles}
        onChange={(sendAllFiles) => set({ sendAllFiles })}
      />
      <SwitchSetting
        label="Stay where I read"
        note="While you have scrolled up, new messages do not move the conversation. Otherwise each one scrolls to the newest."
        isOn={preferences.stayWhereIRead}
        onChange={(stayWhereIRead) => set({ stayWhereIRead })}
      />
      {assistant !== undefined && <AssistantSetting {...assistant} />}
      <CaptureSettings
        captures={captures}
        stored={stored}
        limits={preferences}
        onChange={(change) => {
          set(change);
          // The change may delete recordings: requests the new sizes.
          acts.request('openSettings');
        }}
      />
      <section className="setting">
        <h3>Your data</h3>
        <button type="button" className="secondary" onClick={() => acts.request('openDeleteData')}>
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

const VoiceSwitch = ({ isFixed, ...rest }: VoiceProps) => (
  <SwitchSetting
    label="Voice"
    note={
      isFixed
        ? 'Set by the environment variable PARLEY_AUDIO. To choose here, start Parley without it.'
        : 'Record with Ctrl+Enter (⌘+Enter) or the microphone button, and hear sounds as they come.'
    }
    isDisabled={isFixed}
    {...rest}
  />
);
