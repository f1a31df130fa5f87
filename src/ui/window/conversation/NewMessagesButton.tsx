import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useSelector } from 'react-redux';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { pluralize } from '#shared/formatText.ts';
import { leftBottom, reachedBottom } from '#shared/actions/windowActions.ts';
import { NewerIcon } from '#ui/base/icons.tsx';
import { type ListHandle, scrollFor } from '#ui/useListHandle.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { PlaceState, ScrollPlace } from '#shared/actions/windowSchemas.ts';
import { selectPreferences, type SharedState } from '#shared/store/rootReducer.ts';
import { type TimeAt, messageTimes } from '#ui/base/Arrival.tsx';
import { usePicture, useWindowState } from '../base/Picture.ts';
import { useFocusBack } from '../base/useFocusBack.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

interface Props {
  readonly conversation: Conversation;
  /** The element that scrolls. */
  readonly log: RefObject<HTMLElement | null>;
  /** Scrolls the list. */
  readonly list: RefObject<ListHandle | null>;
}

/** Shows a button to the newest message while the person has scrolled up, and *Stay here* after an update has scrolled the conversation. */
export function PlaceButton(props: Props) {
  const { isAtBottom, pulledFrom } = useWindowState('scroll');
  if (!isAtBottom) return <NewMessagesButton {...props} />;
  return pulledFrom === undefined ? null : <StayButton {...props} pulledFrom={pulledFrom} />;
}

/** Shows how many messages of others have arrived below the view, if any; a press scrolls to the newest. */
function NewMessagesButton({ conversation, log }: Props) {
  const place = useWindowState('place');
  const { focus } = useWindowCommands();
  const count = countNewMessages(conversation, place);
  return (
    <button
      type="button"
      className={count === 0 ? 'new-messages new-messages-none' : 'new-messages'}
      aria-label={count === 0 ? TO_NEWEST : nameOfCount(count)}
      title={TO_NEWEST}
      onClick={() => {
        if (log.current !== null) scrollFor(log.current, { top: log.current.scrollHeight });
        // The button disappears.
        focus(log.current, { preventScroll: true });
      }}
    >
      {count === 0 ? (
        <NewerIcon />
      ) : (
        <>
          <span aria-hidden="true">↓</span> {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count} new
        </>
      )}
    </button>
  );
}

const TO_NEWEST = 'Go to the newest message';

const nameOfCount = (count: number): string =>
  count > MOST_COUNTED ? `More than ${MOST_COUNTED} new messages` : pluralize(count, 'new message');

/** How long *Stay here* is shown, in milliseconds. */
const STAY_MS = 8000;

/** Scrolls back to where the person read before an update, and lets the conversation stay there. */
function StayButton({ pulledFrom, log, list }: Props & { readonly pulledFrom: ScrollPlace }) {
  const { dispatch, focus } = useWindowCommands();
  const button = useRef<HTMLButtonElement>(null);
  const isPicture = usePicture() !== null;
  useFocusBack(button, log);
  useEffect(() => {
    if (isPicture) return undefined;
    const timer = setTimeout(() => dispatch(reachedBottom()), STAY_MS);
    return () => clearTimeout(timer);
    // The next update that scrolls restarts the time.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isPicture, dispatch, pulledFrom]);
  return (
    <button
      ref={button}
      type="button"
      className="new-messages"
      title="Go back to where you read, and stay there until you return to the newest message"
      onClick={() => {
        dispatch(leftBottom({ stays: true }));
        list.current?.scrollToPlace(pulledFrom.message, pulledFrom.offset);
        focus(log.current, { preventScroll: true });
      }}
    >
      Stay here
    </button>
  );
}

/** More new messages are not counted. */
const MOST_COUNTED = 99;

/** Returns how many messages of others have arrived since the person left the newest message: at most one more than {@link MOST_COUNTED}. */
export function countNewMessages({ messages }: Conversation, { leftAt }: PlaceState): number {
  let count = 0;
  for (let i = leftAt ?? Infinity; i < messages.length && count <= MOST_COUNTED; i++)
    if (itemAt(messages, i)?.modifier !== 'client') count++;
  return count;
}

/**
 * Returns the index of the message before which the divider "New messages" is: the first by others after the place; `null` when there is none.
 * The first message has no divider, because everything would be new.
 */
export function dividerIndex({ messages }: Conversation, { leftAt, divider }: PlaceState): number | null {
  const place = leftAt !== null && messages.length > leftAt ? leftAt : divider;
  if (place === null || place === 0) return null;
  for (let index = place; index < messages.length; index++)
    if (itemAt(messages, index)?.modifier !== 'client') return index;
  return null;
}

/** Returns what the list of messages shows about times and the place at which the person last looked. */
export function usePlace(conversation: Conversation) {
  const timeAt = useMessageTimes(conversation);
  const newFrom = dividerIndex(conversation, useWindowState('place'));
  const { stayWhereIRead } = useSelector(selectPreferences);
  const stays = useWindowState('scroll').stays === true || stayWhereIRead;
  return { timeAt, newFrom, stays };
}

const selectArrivals = (state: SharedState) => state.arrivals;
const selectTimesOfDay = (state: SharedState) => state.timesOfDay;

/** Returns a function from the index of a message to its time. */
function useMessageTimes(conversation: Conversation): TimeAt {
  const arrivals = useSelector(selectArrivals);
  const timesOfDay = useSelector(selectTimesOfDay);
  return useMemo(
    () => messageTimes({ conversation, arrivals, timesOfDay }),
    [conversation, arrivals, timesOfDay],
  );
}
