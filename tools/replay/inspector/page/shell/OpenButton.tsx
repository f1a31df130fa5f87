import { Icon } from '../parts/icons.tsx';
import { useInspector } from '../session/InspectorContext.ts';
import { CAPTURE_INPUT, chooseCapture } from './chooseCapture.ts';

/** Shows a button that opens a capture file. */
export function OpenButton() {
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
