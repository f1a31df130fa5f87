import { type Ref, type RefObject, memo, useCallback, useEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { flushSync } from 'react-dom';
import {
  type Conversation,
  type Message as MessageState,
  MISSING_MESSAGE,
} from '#shared/conversation/conversation.ts';
import { type Vector, itemAt } from '#shared/conversation/vector.ts';
import { replacesQuestion } from '#shared/conversation/notice.ts';
import { MESSAGES_IN_DOCUMENT } from '#shared/limits.ts';
import { type BlobSource, blobSource } from '#shared/conversation/blobReference.ts';
import { DayDivider, EditDivider, NewDivider, type TimeAt, areOnDifferentDays } from './base/Arrival.tsx';
import { Message } from './Message.tsx';
import { type CopyLater, useCopy } from './export/useCopy.ts';
import { type OnScrolled, useBottom } from './useBottom.ts';
import { type ListHandle, useListHandle } from './useListHandle.ts';
import { rowOf } from './export/selectedRange.ts';

interface Props {
  readonly conversation: Conversation;
  /** The number of applied updates. */
  readonly appliedUpdates: number;
  readonly timeAt: TimeAt;
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
  return Array.from({ length: props.messages.length }, (_, index) => rowElement(props, index));
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
      {(_, index) => rowElement(rows, index)}
    </Virtualizer>
  );
});

/**
 * Shows one row. It keeps its element when its message arrives, so the browser keeps the scroll position. Another message id re-mounts
 * the message; the index is the row's key, because ids are not unique.
 */
function rowElement({ messages, timeAt, newFrom }: ListProps, index: number) {
  const message = itemAt(messages, index) ?? MISSING_MESSAGE;
  const isEmpty = message !== MISSING_MESSAGE && !hasContent(message);
  const arrivedAt = timeAt(index);
  const showsLabel = hasVisibleLabel(messages, index, timeAt);
  return (
    <div key={index} className={isEmpty ? 'row row-empty' : 'row'} data-row={index}>
      {index === newFrom && <NewDivider />}
      {replacesQuestion(message) && <EditDivider />}
      <DayDivider before={timeAt(index - 1)} after={arrivedAt} isFirst={index === 0} />
      {message === MISSING_MESSAGE ? (
        <p className="missing">Loading…</p>
      ) : (
        <Message
          key={message.id ?? ''}
          message={message}
          index={index}
          arrivedAt={arrivedAt}
          showsLabel={showsLabel}
          showsName={showsLabel && hasVisibleName(messages, index, timeAt)}
        />
      )}
    </div>
  );
}

/**
 * The height of the rows that are drawn beyond the view, in CSS pixels. A browser that scrolls without waiting for the window shows an empty
 * strip where no row is drawn yet: while the person scrolls, it is that of 100 ms of a fast touchpad.
 */
const BUFFER = { atRest: 400, scrolling: 1200 } as const;

/** The height of the shortest row, one line without a label, in CSS pixels. */
const SHORTEST_ROW = 48;
/** A jump is prepared for rows of this part of the mean height: more of the long rows would take too long to draw. */
const SHORTEST_PART = 1 / 6;

interface Position {
  readonly buffer: number;
  /** The rows that a jump draws. */
  readonly jumpedTo: readonly number[];
}

const AT_REST: Position = { buffer: BUFFER.atRest, jumpedTo: [] };

interface ScrolledRows extends Position {
  readonly onScroll: (top: number) => void;
  readonly onScrollEnd: () => void;
}

/**
 * Has the rows of a scrolled list of `count` rows drawn in the frame that shows the new position. By itself React would draw them after the frame,
 * because a scroll event is not urgent to it.
 */
function useScrolledRows(virtualizer: RefObject<VirtualizerHandle | null>, count: number): ScrolledRows {
  const [position, setPosition] = useState(AT_REST);
  const lastTop = useRef(0);
  const onScroll = useCallback(
    (top: number) => {
      const [list, from] = [virtualizer.current, lastTop.current];
      lastTop.current = top;
      const isJump = list !== null && Math.abs(top - from) > list.viewportSize;
      // Each position is a new object, so each event draws.
      const jumpedTo = isJump ? rowsAfterJump(list, from, count) : [];
      flushSync(() => setPosition({ buffer: BUFFER.scrolling, jumpedTo }));
    },
    [virtualizer, count],
  );
  const onScrollEnd = useCallback(() => setPosition(AT_REST), []);
  return { ...position, onScroll, onScrollEnd };
}

/**
 * Returns the rows to draw after a jump by more than the view, as a drag of the scroll bar makes. The list draws the rows that fill the view if
 * they have the expected heights. When they are shorter, the list adds rows, but hides them until it has measured them in the next frame: the
 * view would have an empty strip.
 */
export function rowsAfterJump(list: VirtualizerHandle, from: number, count: number): readonly number[] {
  const top = list.scrollOffset;
  const first = list.findItemIndex(top);
  // While rows are measured, the list keeps the position of this one.
  const kept = top > from ? first + 1 : first;
  const offset = list.getItemOffset(kept);
  const shortest = Math.max(SHORTEST_ROW, (SHORTEST_PART * list.scrollSize) / count);
  const rowsIn = (height: number) => Math.max(0, Math.ceil(height / shortest));
  const start = Math.max(0, kept - rowsIn(offset - top));
  const end = Math.min(count, kept + rowsIn(top + list.viewportSize - offset));
  return Array.from({ length: end - start }, (_, at) => start + at);
}

/** Returns the rows with the focus and with the ends of the selection, or beside an end between two rows. */
function rowsInUse(): number[] {
  const selection = document.getSelection();
  const ends =
    selection === null
      ? []
      : [
          ...nodesAt(selection.anchorNode, selection.anchorOffset),
          ...nodesAt(selection.focusNode, selection.focusOffset),
        ];
  const rows = [...ends, document.activeElement].map(rowOf).filter((row) => row !== undefined);
  return Array.from(new Set(rows)).toSorted((a, b) => a - b);
}

/** Returns the node of an end of the selection, or the rows on both sides of it. */
function nodesAt(node: Node | null, offset: number): (Node | null)[] {
  if (node === null || rowOf(node) !== undefined) return [node];
  return [node.childNodes[offset - 1], node.childNodes[offset]].map((child) => child?.firstChild ?? null);
}

/** Returns the rows that stay in the document while they are scrolled out of view, so that the selection and the focus are kept. */
function useRowsInUse(scroller: RefObject<HTMLElement | null>): readonly number[] {
  const [rows, setRows] = useState<readonly number[]>([]);
  useEffect(() => {
    const element = scroller.current;
    const look = () => {
      const now = rowsInUse();
      setRows((before) => (before.join() === now.join() ? before : now));
    };
    document.addEventListener('selectionchange', look);
    element?.addEventListener('focusin', look);
    element?.addEventListener('focusout', look);
    return () => {
      document.removeEventListener('selectionchange', look);
      element?.removeEventListener('focusin', look);
      element?.removeEventListener('focusout', look);
    };
  }, [scroller]);
  return rows;
}

/** How many messages are looked at: each row looks for its neighbours, and a conversation may contain only messages without content. */
const SKIPPED_MESSAGES = 32;

/** Messages of one sender that are further apart are not in one group, in milliseconds. */
const GROUP_MS = 5 * 60 * 1000;

/** Returns no time, as for messages whose times are not known. */
const timeless: TimeAt = () => undefined;

/** What a label shows of a message, by its index. */
type LabelRule = (messages: Vector<MessageState>, index: number, timeAt?: TimeAt) => boolean;

/**
 * Returns whether the label below the message at an index is visible: only the last of a group shows it, which are consecutive messages of one sender within a
 * few minutes. Nothing of a message without content is visible: it shows no label, and does not separate its neighbours.
 */
export const hasVisibleLabel: LabelRule = (messages, index, timeAt = timeless) => {
  const message = itemAt(messages, index);
  if (message === undefined || !hasContent(message)) return false;
  const nextAt = nextWithContent(messages, index);
  const next = nextAt === undefined ? undefined : itemAt(messages, nextAt);
  if (nextAt === undefined || next === undefined || !isSameSender(message, next)) return true;
  const [time, nextTime] = [timeAt(index), timeAt(nextAt)];
  if (time === undefined || nextTime === undefined) return false;
  return nextTime - time > GROUP_MS || areOnDifferentDays(time, nextTime);
};

/** Returns whether the name in the visible label of the message at an index is visible: that of the person stands once a day. */
export const hasVisibleName: LabelRule = (messages, index, timeAt = timeless) => {
  const message = itemAt(messages, index);
  if (message?.modifier !== 'client') return true;
  for (let at = index - 1; at >= 0 && at >= index - SKIPPED_MESSAGES; at--) {
    const earlier = itemAt(messages, at);
    if (earlier?.modifier === 'client' && hasVisibleLabel(messages, at, timeAt))
      return !isSameSender(earlier, message) || areOnDifferentDays(timeAt(at), timeAt(index));
  }
  return true;
};

/** Returns whether something of a message is visible. */
const hasContent = ({ content }: MessageState): boolean => content !== undefined && content.length > 0;

/** Returns the index of the first message with content after an index, or `undefined` when there is none nearby. */
function nextWithContent(messages: Vector<MessageState>, index: number): number | undefined {
  for (let at = index + 1; at <= index + 1 + SKIPPED_MESSAGES; at++) {
    const message = itemAt(messages, at);
    if (message === undefined) return undefined;
    if (hasContent(message)) return at;
  }
  return undefined;
}

const isSameSender = (a: MessageState, b: MessageState): boolean =>
  a.modifier === b.modifier && (a.context ?? '') === (b.context ?? '') && isSameAvatar(a, b);

const isSameAvatar = (a: MessageState, b: MessageState): boolean =>
  avatarKey(blobSource(a.avatar)) === avatarKey(blobSource(b.avatar));

/** Returns a text that is the same for the same avatar. */
const avatarKey = (source: BlobSource): string =>
  typeof source === 'string' ? source : `${source.hash} ${source.head}`;
