import { useContext } from 'react';
import type { Message } from '#shared/conversation/conversation.ts';
import { displayedText, positionOf } from '#shared/conversation/display.ts';
import { isDivider, noticeAction } from '#shared/conversation/notice.ts';
import { emptyVector, itemAt } from '#shared/conversation/vector.ts';
import { ContentItem } from './ContentItem.tsx';
import { MessageButtonsContext } from './base/itemCommands.ts';
import { NoticeIcon } from './base/icons.tsx';

interface Props {
  readonly message: Message;
  /** The index of the message in the conversation. */
  readonly index: number;
}

/** Shows a notice of the platform as a quiet line with an icon and at most one button, and a divider as a line across the conversation. */
export function Notice({ message, index }: Props) {
  const { id = '', modifier = '' } = message;
  const isLine = isDivider(message);
  const Content = isLine ? Divider : QuietLine;
  return (
    <article
      className={isLine ? 'message divider-message' : 'message notice'}
      data-message-id={id}
      data-modifier={modifier}
      data-side="centre"
      aria-label={isLine ? undefined : 'Notice'}
    >
      <Content message={message} index={index} />
    </article>
  );
}

function QuietLine({ message, index }: Props) {
  const buttons = useContext(MessageButtonsContext);
  const action = noticeAction(message);
  return (
    <div className="items">
      <NoticeIcon />
      <div className="notice-text">
        <Items message={message} index={index} />
      </div>
      {action !== null && buttons && <buttons.OfNotice action={action} index={index} />}
    </div>
  );
}

function Divider({ message, index }: Props) {
  const { content = emptyVector() } = message;
  return (
    <div className="items divider">
      {/* An `hr` contains no text. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role */}
      <div role="separator" aria-label={displayedText(itemAt(content, 0)?.text)}>
        <Items message={message} index={index} />
      </div>
    </div>
  );
}

/** More items of a notice, which has one, are not shown. */
const MOST_ITEMS = 20;

const Items = ({ message: { content = emptyVector() }, index }: Props) =>
  Array.from({ length: Math.min(content.length, MOST_ITEMS) }, (_, at) => {
    const item = itemAt(content, at);
    const position = positionOf(at, content.length);
    // Items are only appended, so an index identifies an item.
    // oxlint-disable-next-line react/no-array-index-key
    return item && <ContentItem key={at} item={item} position={position} message={index} index={at} />;
  });
