import { type ReactNode, useLayoutEffect } from 'react';
import { Choice, IconButton, Icon, TextButton } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/inspectorState.ts';

interface Props {
  readonly onKeys: () => void;
  /** Present when the host can write a test. */
  readonly onMakeTest: (() => void) | undefined;
}

/** Shows the name of the session and the buttons for the whole session. */
export function Header({ onKeys, onMakeTest }: Props) {
  const { whatIf, copyLink } = useInspector();
  const name = useInspectorState((state) => shownInfo(state)?.name);
  return (
    <TopBar name={name} onKeys={onKeys}>
      <Branches />
      <span className="spring" />
      <OpenButton />
      {name !== undefined && (
        <>
          <IconButton icon="save" name="Save as a capture" isLabelled onClick={whatIf.save} />
          {onMakeTest && (
            <IconButton icon="test" name="Make a test of this" isLabelled onClick={onMakeTest} />
          )}
          <IconButton icon="link" name="Copy a link to this step" onClick={copyLink} />
        </>
      )}
    </TopBar>
  );
}

type TopBarProps = Readonly<{ name: string | undefined; onKeys: () => void; children: ReactNode }>;

/** Shows the name of the page and of the session, and the buttons that every page has. `children` are between these. */
export const TopBar = ({ name, onKeys, children }: TopBarProps) => (
  <header className="top">
    <h1>
      <Icon name="brand" />
      Inspector
    </h1>
    {name !== undefined && <p className="capture-name">{name}</p>}
    {children}
    <ThemeButton />
    <IconButton icon="keys" name="Keyboard shortcuts" onClick={onKeys} />
  </header>
);

const BRANCHES = [
  ['recorded', 'As recorded'],
  ['edited', 'What if'],
] as const;

function Branches() {
  const { whatIf } = useInspector();
  const branch = useInspectorState((state) => state.branch);
  const hasEdits = useInspectorState((state) => state.edited !== undefined);
  if (!hasEdits) return null;
  return (
    <>
      <Choice name="Trace of events" options={BRANCHES} value={branch} onChoose={whatIf.show} />
      <TextButton name="Discard the edits" onClick={whatIf.discard} />
    </>
  );
}

/** Shows the button that changes the appearance, and applies it to the page. */
function ThemeButton() {
  const { changeTheme } = useInspector();
  const theme = useInspectorState((state) => state.theme);
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const words = { system: 'as the system', light: 'light', dark: 'dark' }[theme];
  return <IconButton icon="theme" name={`Colours: ${words}`} onClick={changeTheme} />;
}

/** Shows a button that opens a capture file. */
function OpenButton() {
  const { open } = useInspector();
  return (
    <>
      <IconButton icon="open" name="Open a capture" isLabelled onClick={chooseCapture} />
      <input
        id="open-capture"
        type="file"
        hidden
        accept=".jsonl,.gz"
        aria-label="A capture"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // Reset, so that the same file can be chosen again after a change.
          target.value = '';
          if (file) void open({ kind: 'file', file, name: file.name });
        }}
      />
    </>
  );
}

/** Opens the browser's file dialog for a capture. */
export const chooseCapture = (): void => document.getElementById('open-capture')?.click();
