import { useId, useState } from 'react';
import { ClippedText } from '../base/ClippedText.tsx';

/** Shows a button that shows and hides the source of a content item or message. */
export function ItemSource({ sourceOf }: { readonly sourceOf: () => string }) {
  const [source, setSource] = useState<string | null>(null);
  const id = useId();
  const isShown = source !== null;
  return (
    <>
      <button
        type="button"
        className="more"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        // Computed here, not while rendering: an error in an event handler does not unmount the page.
        onClick={() => setSource(isShown ? null : sourceOf())}
      >
        {isShown ? 'Hide source' : 'Show source'}
      </button>
      {isShown && (
        <div id={id} className="source">
          <ClippedText text={source} />
        </div>
      )}
    </>
  );
}
