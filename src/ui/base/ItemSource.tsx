import { useId } from 'react';
import type { Message } from '#shared/conversation/conversation.ts';
import { emptyVector, toArray } from '#shared/conversation/vector.ts';
import type { ContentItem } from '#shared/protocol/update.ts';
import { ClippedText } from './ClippedText.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { useExpansion } from './itemCommands.ts';

/** Shows a button that shows and hides the source of a content item or message. */
export function ItemSource({ sourceOf }: { readonly sourceOf: () => string }) {
  const [steps, expand] = useExpansion('source');
  const id = useId();
  const isShown = steps > 0;
  return (
    <>
      <button
        type="button"
        className="more"
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={() => expand(isShown ? 0 : 1)}
      >
        {isShown ? 'Hide source' : 'Show source'}
      </button>
      {isShown && (
        <div id={id} className="source">
          <ErrorBoundary of={sourceOf} fallback={<p className="item-text">The source cannot be shown.</p>}>
            <Source sourceOf={sourceOf} />
          </ErrorBoundary>
        </div>
      )}
    </>
  );
}

const Source = ({ sourceOf }: { readonly sourceOf: () => string }) => (
  <ClippedText text={sourceOf()} part="sourceText" />
);

/** Returns the source of a content item: its markup, or the whole item as JSON. */
export const itemSource = (item: ContentItem): string =>
  item.category === 'html' ? (item.html ?? '') : JSON.stringify(item, null, 2);

/** Returns the source of a message: the whole message as JSON. */
export const messageSource = (message: Message): string =>
  JSON.stringify({ ...message, content: toArray(message.content ?? emptyVector()) }, null, 2);
