import { memo, useContext, useId, useMemo, useState } from 'react';
import type { Message as MessageState } from '#shared/conversation/conversation.ts';
import { isRunning, positionOf, sideOf } from '#shared/conversation/display.ts';
import { type Run, markdownRuns } from '#shared/conversation/markdownRuns.ts';
import { type Vector, emptyVector, itemAt } from '#shared/conversation/vector.ts';
import type { ContentItem as Item } from '#shared/protocol/update.ts';
import { type BlobSource, blobSource, drawnType } from '#shared/conversation/blobReference.ts';
import { clip } from '#shared/formatText.ts';
import { isDivider, isNotice } from '#shared/conversation/notice.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import { Arrival } from './base/Arrival.tsx';
import { ContentItem } from './ContentItem.tsx';
import { ErrorBoundary } from './base/ErrorBoundary.tsx';
import { ItemSource, messageSource } from './base/ItemSource.tsx';
import {
  ItemOfMessageContext,
  MessageButtonsContext,
  useExpansion,
  useFoundIn,
} from './base/itemCommands.ts';
import { MarkdownRun } from './markdown/MarkdownRun.tsx';
import { Name } from './base/ClippedText.tsx';
import { Notice } from './Notice.tsx';
import { imageUrl } from './base/useImageUrl.ts';

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
  /** Whether the name in the visible label is visible. */
  readonly showsName: boolean;
}

/** Shows a message, or a notice when the message cannot be shown. Re-renders only when the message or its label changes. */
export const Message = memo(function Message(props: Props) {
  const { message, index } = props;
  const { id = '' } = message;
  const whole = useMemo(() => ({ message: index, id: limitText(id), item: null }), [index, id]);
  return (
    <ItemOfMessageContext value={whole}>
      <ErrorBoundary of={message} fallback={<FailedMessage message={message} />}>
        <Drawn {...props} />
      </ErrorBoundary>
    </ItemOfMessageContext>
  );
});

const FailedMessage = ({ message }: { readonly message: MessageState }) => (
  <article className="message" data-message-id={message.id ?? ''} data-side="left">
    <div className="item">
      <p className="item-text">This message cannot be shown.</p>
      <ItemSource sourceOf={() => messageSource(message)} />
    </div>
  </article>
);

/** Shows the content items as one group, and the sender below it (spec §2.5). */
function Drawn({ message, index, arrivedAt, showsLabel, showsName }: Props) {
  const labelId = useId();
  const { id = '', modifier = '', context = '' } = message;
  if (isNotice(message) || isDivider(message)) return <Notice message={message} index={index} />;
  return (
    <article
      className={showsLabel ? 'message' : 'message joined'}
      data-message-id={id}
      data-modifier={modifier}
      data-side={sideOf(modifier)}
      aria-labelledby={context === '' ? undefined : labelId}
    >
      <Items message={message} index={index} arrivedAt={showsLabel ? undefined : arrivedAt} />
      <Label id={labelId} {...{ message, index, arrivedAt, showsLabel, showsName }} />
    </article>
  );
}

function Items({ message, index, arrivedAt }: ItemsProps) {
  const [steps, expand] = useExpansion('items');
  const [foundLimit, setFoundLimit] = useState(0);
  const content = message.content ?? emptyVector();
  const found = useFoundIn(index);
  const limit = Math.max(FIRST_ITEMS + steps * MORE_ITEMS, foundLimit);
  // Only ever more: nothing below it moves.
  if (found !== null && found.item >= limit) setFoundLimit(found.item + MORE_ITEMS);
  const shown = Math.min(limit, content.length);
  return (
    <div className="items">
      {markdownRuns(content, shown).map((run) =>
        run.format === null ? (
          <PlainItems key={run.first} run={run} content={content} message={index} />
        ) : (
          <MarkdownRun
            key={run.first}
            run={{ ...run, format: run.format }}
            content={content}
            message={index}
            isGrowing={run.end === content.length && isRunning(message.context ?? '')}
          />
        ),
      )}
      {shown < content.length && (
        <button
          type="button"
          className="more"
          onClick={() => expand(Math.floor((limit - FIRST_ITEMS) / MORE_ITEMS) + 1)}
        >
          Show more
        </button>
      )}
      {shown > 0 && <Arrival at={arrivedAt} />}
    </div>
  );
}

interface PlainItemsProps {
  readonly run: Run;
  readonly content: Vector<Item>;
  readonly message: number;
}

/** Draws items, each according to its category. Items are only appended, so an index identifies an item. */
const PlainItems = ({ run: { first, end }, content, message }: PlainItemsProps) =>
  Array.from({ length: end - first }, (_, at) => {
    const index = first + at;
    const item = itemAt(content, index);
    const position = positionOf(index, content.length);
    return (
      item && <ContentItem key={index} item={item} position={position} message={message} index={index} />
    );
  });

/** A name that is longer than this, in UTF-16 units, may not fit in its line: its tooltip shows it whole. */
const FITTING_LENGTH = 20;
/** Longer tooltips are clipped to this length, in UTF-16 units. */
const TOOLTIP_LENGTH = 2000;

interface LabelProps extends Props {
  readonly id: string;
}

/** Shows the sender of a message and when it was sent, in one line (spec §2.5). A label or a name that is not visible still names the message. */
function Label({ id, message, index, arrivedAt, showsLabel, showsName }: LabelProps) {
  const { context = '', avatar } = message;
  const title = context.length > FITTING_LENGTH ? clip(context, TOOLTIP_LENGTH) : undefined;
  const source = blobSource(avatar);
  const buttons = useContext(MessageButtonsContext);
  const isVisible = showsLabel && (showsName || arrivedAt !== undefined || source !== '');
  return (
    <div className={isVisible ? 'label' : 'visually-hidden'}>
      <Avatar source={source} message={index} />
      <span id={id} className={showsName ? undefined : 'visually-hidden'} dir="auto" title={title}>
        <Name text={context} />
      </span>
      {showsLabel && <Arrival at={arrivedAt} />}
      {isVisible && buttons && <buttons.InLabel index={index} />}
    </div>
  );
}

/** Shows a small picture of the sender, if it is a PNG (spec §2.5). `message` is the index of the message. */
function Avatar({ source, message }: { readonly source: BlobSource; readonly message: number }) {
  const address = useMemo(
    () => (drawnType(source) === 'image/png' ? imageUrl(source, { message, item: 'avatar' }) : null),
    [source, message],
  );
  const [broken, setBroken] = useState<BlobSource | null>(null);
  if (address === null || broken === source) return null;
  return (
    <img className="avatar" src={address} alt="" width={20} height={20} onError={() => setBroken(source)} />
  );
}
