import { useRef } from 'react';
import { Icon } from '../parts/icons.tsx';
import { useInspector } from './InspectorContext.ts';

/** Opens a capture of the person's disk. */
export function OpenButton() {
  const { open } = useInspector();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="labelled"
        title="Open a capture"
        onClick={() => input.current?.click()}
      >
        <Icon name="open" />
        <span>Open a capture</span>
      </button>
      <input
        ref={input}
        id="open-capture"
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
