import { memo, useId, useState } from 'react';
import type { Message as MessageState } from '#shared/conversation/conversation.ts';
import { positionOf, sideOf } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { Arrival } from './arrival/Arrival.tsx';
import { ContentItem } from './ContentItem.tsx';
import { useFoundIn } from './base/found.ts';
import { ErrorBoundary } from './failure/ErrorBoundary.tsx';
import { ItemSource } from './failure/ItemSource.tsx';
import { messageSource } from './failure/sourceText.ts';
import { Label } from './label/Label.tsx';

/** The number of items of one message that are shown at first, and how many each "Show more" adds. */
const FIRST_ITEMS = 500;
const MORE_ITEMS = 2000;

interface ItemsProps {
  readonly message: MessageState;
  /** The index of the message in the conversation. */
  readonly index: number;
  /** When it arrived, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
  readonly arrivedAt: number | undefined;
}

interface Props extends ItemsProps {
  /** Whether its label is visible; a hidden one still names the message. */
  readonly showsLabel: boolean;
}

/** Shows a message, or a notice when the message cannot be shown. Re-renders only when the message or its label changes. */
export const Message = memo(function Message(props: Props) {
  const { message } = props;
  return (
    <ErrorBoundary of={message} fallback={<FailedMessage message={message} />}>
      <Drawn {...props} />
    </ErrorBoundary>
  );
});

function FailedMessage({ message }: { readonly message: MessageState }) {
  return (
    <article className="message" data-message-id={message.id ?? ''} data-side="left">
      <div className="item">
        <p className="item-text">This message cannot be shown.</p>
        <ItemSource sourceOf={() => messageSource(message)} />
      </div>
    </article>
  );
}

/** Shows the content items as one group, and the sender below it (spec §2.5). */
function Drawn({ message, index, arrivedAt, showsLabel }: Props) {
  const labelId = useId();
  const { id = '', modifier = '', context = '' } = message;
  return (
    <article
      className={showsLabel ? 'message' : 'message joined'}
      data-message-id={id}
      data-modifier={modifier}
      data-side={sideOf(modifier)}
      aria-labelledby={context === '' ? undefined : labelId}
    >
      <Items message={message} index={index} arrivedAt={arrivedAt} />
      <Label id={labelId} message={message} index={index} isVisible={showsLabel} />
    </article>
  );
}

function Items({ message, index, arrivedAt }: ItemsProps) {
  const [limit, setLimit] = useState(FIRST_ITEMS);
  const content = message.content ?? emptyVector();
  const found = useFoundIn(index);
  // Only ever more: nothing below it moves.
  if (found !== null && found.item >= limit) setLimit(found.item + MORE_ITEMS);
  const shown = Math.min(limit, content.length);
  return (
    <div className="items">
      {Array.from({ length: shown }, (_, at) => {
        const item = itemAt(content, at);
        const position = positionOf(at, content.length);
        // Items are only appended, so an index identifies an item.
        // oxlint-disable-next-line react/no-array-index-key
        return item && <ContentItem key={at} item={item} position={position} message={index} index={at} />;
      })}
      {shown < content.length && (
        <button type="button" className="more" onClick={() => setLimit(limit + MORE_ITEMS)}>
          Show more
        </button>
      )}
      {shown > 0 && <Arrival at={arrivedAt} />}
    </div>
  );
}
