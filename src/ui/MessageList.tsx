import { type Ref, type RefObject, memo, useRef } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { Conversation, Message as MessageState } from '#shared/conversation/conversation.ts';
import { MISSING_MESSAGE } from '#shared/conversation/conversationPart.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import { NewDivider } from './arrival/NewDivider.tsx';
import { DayDivider } from './arrival/DayDivider.tsx';
import { hasContent, hasVisibleLabel } from './label/hasVisibleLabel.ts';
import { Message } from './Message.tsx';
import { type CopyLater, useCopy } from './selection/useCopy.ts';
import { type OnScrolled, useBottom } from './useBottom.ts';
import { type ListHandle, useListHandle } from './useListHandle.ts';
import { useRowsInUse } from './useRowsInUse.ts';
import { useScrolledRows } from './useScrolledRows.ts';

interface Props {
  readonly conversation: Conversation;
  /** The number of applied updates. */
  readonly appliedUpdates: number;
  /** Returns when the message at an index arrived, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
  readonly timeAt: (index: number) => number | undefined;
  /** The index of the first new message; `null` when there is none. */
  readonly newFrom: number | null;
  /** Whether an update keeps the position of a person who has scrolled up. */
  readonly stays: boolean;
  /** Set to the element that scrolls. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Set to the handle that scrolls the list. */
  readonly list?: Ref<ListHandle>;
  /** Called when the person leaves the bottom, and when the view is there again. */
  readonly onScrolled: OnScrolled;
  /** Set in a picture of a window: whether the window was at the bottom. */
  readonly shownAtBottom: boolean | undefined;
  /** `undefined` in a picture of a window. */
  readonly copyLater: CopyLater | undefined;
}

/**
 * Shows the conversation's messages, oldest first, and scrolls to the newest after each update (spec §4.4). It is not a live region,
 * because scrolling a long conversation adds rows that are not new; the `Announcer` announces new items.
 */
export function MessageList(props: Props) {
  const { conversation, appliedUpdates, timeAt, newFrom, stays, ref, list } = props;
  const { onScrolled, shownAtBottom, copyLater } = props;
  const { messages } = conversation;
  const virtualizer = useRef<VirtualizerHandle>(null);
  const isLong = messages.length > MESSAGES_IN_DOCUMENT;
  useBottom({ conversation, appliedUpdates, stays, onScrolled, shownAtBottom }, ref);
  useCopy(conversation, ref, copyLater);
  useListHandle(list, { scroller: ref, virtualizer, appliedUpdates });
  return (
    <div
      ref={ref}
      className={isLong ? 'log log-long' : 'log'}
      role="log"
      aria-label="Conversation"
      aria-live="off"
      // Focusable, so that the keyboard can scroll it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <div>
        {isLong ? (
          <>
            <p className="print-only">To print the whole conversation, choose “Print…” in Parley’s menu.</p>
            <LongList
              messages={messages}
              timeAt={timeAt}
              newFrom={newFrom}
              scroller={ref}
              virtualizer={virtualizer}
            />
          </>
        ) : (
          <ShortList messages={messages} timeAt={timeAt} newFrom={newFrom} />
        )}
      </div>
    </div>
  );
}

interface ListProps extends Pick<Props, 'timeAt' | 'newFrom'> {
  readonly messages: Vector<MessageState>;
}

const ShortList = memo(function ShortList(props: ListProps) {
  return Array.from({ length: props.messages.length }, (_, index) => rowOf(props, index));
});

interface LongListProps extends ListProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly virtualizer: RefObject<VirtualizerHandle | null>;
}

const LongList = memo(function LongList({ scroller, virtualizer, ...rows }: LongListProps) {
  const inUse = useRowsInUse(scroller);
  const { buffer, jumpedTo, onScroll, onScrollEnd } = useScrolledRows(virtualizer, rows.messages.length);
  return (
    <Virtualizer
      ref={virtualizer}
      scrollRef={scroller}
      data={{ length: rows.messages.length }}
      keepMounted={[...inUse, ...jumpedTo]}
      bufferSize={buffer}
      onScroll={onScroll}
      onScrollEnd={onScrollEnd}
    >
      {(_, index) => rowOf(rows, index)}
    </Virtualizer>
  );
});

/**
 * Shows one row. It keeps its element when its message arrives, so the browser keeps the scroll position. Another message id re-mounts
 * the message; the index is the row's key, because ids are not unique.
 */
function rowOf({ messages, timeAt, newFrom }: ListProps, index: number) {
  const message = itemAt(messages, index) ?? MISSING_MESSAGE;
  const isEmpty = message !== MISSING_MESSAGE && !hasContent(message);
  const arrivedAt = timeAt(index);
  const showsLabel = hasVisibleLabel(messages, index);
  return (
    <div key={index} className={isEmpty ? 'row row-empty' : 'row'} data-row={index}>
      {index === newFrom && <NewDivider />}
      <DayDivider before={timeAt(index - 1)} after={arrivedAt} />
      {message === MISSING_MESSAGE ? (
        <p className="missing">Loading…</p>
      ) : (
        <Message
          key={message.id ?? ''}
          message={message}
          index={index}
          arrivedAt={arrivedAt}
          showsLabel={showsLabel}
        />
      )}
    </div>
  );
}
