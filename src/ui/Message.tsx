import { memo, useId, useMemo, useState } from 'react';
import { type BlobSource, blobHead, blobPath, blobSource } from '#shared/conversation/blobReference.ts';
import type { Message as MessageState } from '#shared/conversation/conversation.ts';
import { positionOf, sideOf } from '#shared/conversation/display.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { pictureType } from '#shared/mediaType.ts';
import { ContentItem } from './ContentItem.tsx';
import { clip } from '#shared/clip.ts';
import { NAME_LENGTH } from './base/splitIntoBlocks.ts';
import { ErrorBoundary } from './failure/ErrorBoundary.tsx';
import { ItemSource } from './failure/ItemSource.tsx';
import { messageSource } from './failure/sourceText.ts';

/** The number of items of one message that are shown at first, and how many each "Show more" adds. */
const FIRST_ITEMS = 500;
const MORE_ITEMS = 2000;

interface Props {
  readonly message: MessageState;
  /** The index of the message in the conversation. */
  readonly index: number;
}

/** Shows a message, or a notice when the message cannot be shown. Re-renders only when the message changes. */
export const Message = memo(function Message({ message, index }: Props) {
  return (
    <ErrorBoundary of={message} fallback={<FailedMessage message={message} />}>
      <Drawn message={message} index={index} />
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
function Drawn({ message, index }: Props) {
  const labelId = useId();
  const { id = '', modifier = '', context = '', avatar } = message;
  return (
    <article
      className="message"
      data-message-id={id}
      data-modifier={modifier}
      data-side={sideOf(modifier)}
      aria-labelledby={context === '' ? undefined : labelId}
    >
      <Items message={message} index={index} />
      <div className="label">
        <Avatar source={blobSource(avatar)} message={index} />
        <span id={labelId} dir="auto">
          {clip(context, NAME_LENGTH)}
        </span>
      </div>
    </article>
  );
}

function Items({ message, index }: Props) {
  const [limit, setLimit] = useState(FIRST_ITEMS);
  const content = message.content ?? emptyVector();
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
    </div>
  );
}

interface AvatarProps {
  readonly source: BlobSource;
  /** The index of the message. */
  readonly message: number;
}

/** Shows a small picture of the sender, if it is a PNG (spec §2.5). */
function Avatar({ source, message }: AvatarProps) {
  const isPicture = useMemo(() => pictureType(blobHead(source)) === 'image/png', [source]);
  const [broken, setBroken] = useState<BlobSource | null>(null);
  const address =
    typeof source === 'string'
      ? `data:image/png;base64,${source}`
      : blobPath(source, { message, item: 'avatar' });
  if (!isPicture || address === null || broken === source) return null;
  return (
    <img className="avatar" src={address} alt="" width={20} height={20} onError={() => setBroken(source)} />
  );
}
