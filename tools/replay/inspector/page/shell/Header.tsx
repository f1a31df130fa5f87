import { Choice, IconButton, Icon } from '../parts/controls.tsx';
import { useInspector, useInspectorState } from '../session/InspectorContext.ts';
import { shownInfo } from '../session/inspectorState.ts';
import { NEXT_THEME } from '../session/inspectorStore.ts';

interface Props {
  readonly onKeys: () => void;
  /** Present when the host can write a test. */
  readonly onMakeTest: (() => void) | undefined;
}

/** Shows the name of the session and the buttons for the whole session. */
export function Header({ onKeys, onMakeTest }: Props) {
  const name = useInspectorState((state) => shownInfo(state)?.name);
  return (
    <header className="top">
      <h1>
        <Icon name="brand" />
        Inspector
      </h1>
      {name !== undefined && <p className="capture-name">{name}</p>}
      <Branches />
      <span className="spring" />
      <OpenButton />
      {name !== undefined && <SessionActions onMakeTest={onMakeTest} />}
      <ThemeButton />
      <IconButton icon="keys" name="Keyboard shortcuts" onClick={onKeys} />
    </header>
  );
}

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
      <button type="button" className="text-button" onClick={() => void whatIf.discard()}>
        Discard the edits
      </button>
    </>
  );
}

function SessionActions({ onMakeTest }: Pick<Props, 'onMakeTest'>) {
  const { whatIf, copyLink } = useInspector();
  return (
    <>
      <button type="button" className="labelled" title="Save as a capture" onClick={() => void whatIf.save()}>
        <Icon name="save" />
        <span>Save as a capture</span>
      </button>
      {onMakeTest && (
        <button type="button" className="labelled" title="Make a test of this" onClick={onMakeTest}>
          <Icon name="test" />
          <span>Make a test of this</span>
        </button>
      )}
      <IconButton icon="link" name="Copy a link to this step" onClick={() => void copyLink()} />
    </>
  );
}

/** Shows the button that changes the appearance. */
export function ThemeButton() {
  const { store } = useInspector();
  const theme = useInspectorState((state) => state.theme);
  const words = { system: 'as the system', light: 'light', dark: 'dark' }[theme];
  return (
    <IconButton
      icon="theme"
      name={`Colours: ${words}`}
      onClick={() => store.set({ theme: NEXT_THEME[theme] })}
    />
  );
}

/** Shows a button that opens a capture file. */
function OpenButton() {
  const { open } = useInspector();
  return (
    <>
      <button type="button" className="labelled" title="Open a capture" onClick={chooseCapture}>
        <Icon name="open" />
        <span>Open a capture</span>
      </button>
      <input
        id={CAPTURE_INPUT}
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

/** The id of the file input in the header. */
const CAPTURE_INPUT = 'open-capture';

/** Opens the browser's file dialog for a capture. */
export const chooseCapture = (): void => document.getElementById(CAPTURE_INPUT)?.click();
