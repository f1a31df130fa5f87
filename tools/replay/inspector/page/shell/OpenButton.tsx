import { Icon } from '../parts/icons.tsx';
import { useInspector } from '../session/InspectorContext.ts';
import { CAPTURE_INPUT, chooseCapture } from './chooseCapture.ts';

/** Opens a capture of the person's disk. */
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
          // The same file may be chosen again, after it has changed.
          target.value = '';
          if (file) void open({ kind: 'file', file, name: file.name });
        }}
      />
    </>
  );
}
