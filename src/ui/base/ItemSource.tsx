import { useId, useState } from 'react';
import type { Message } from '#shared/conversation/conversation.ts';
import { emptyVector, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { ClippedText } from './ClippedText.tsx';

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

/** Returns the source of a content item: its markup, or the whole item as JSON. */
export const itemSource = (item: ContentItem): string =>
  item.category === 'html' ? (item.html ?? '') : JSON.stringify(item, null, 2);

/** Returns the source of a message: the whole message as JSON. */
export const messageSource = (message: Message): string =>
  JSON.stringify({ ...message, content: toArray(message.content ?? emptyVector()) }, null, 2);
