import { useRef } from 'react';
import { ClipIcon } from '#ui/base/icons.tsx';

/** Shows the button that opens the file dialog. */
export function AttachButton({ onFile }: { readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="quiet attach"
        aria-label="Attach a file"
        title="Attach a file"
        onClick={() => input.current?.click()}
      >
        <ClipIcon />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onFile(file);
          // Without this, picking the same file again causes no event.
          target.value = '';
        }}
      />
    </>
  );
}
