import { type RefObject, useMemo } from 'react';
import { useSelector } from 'react-redux';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { pluralize } from '#shared/formatText.ts';
import { scrollFor } from '#ui/useListHandle.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { PlaceState } from '#shared/actions/windowSchemas.ts';
import { selectPreferences, type SharedState } from '#shared/store/rootReducer.ts';
import { type TimeAt, arrivalTimes } from '#ui/base/Arrival.tsx';
import { useWindowState } from '../base/Picture.ts';
import { useWindowCommands } from '../base/WindowCommands.ts';

interface Props {
  readonly conversation: Conversation;
  /** The element that scrolls. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows how many messages of others have arrived below the view; a press scrolls to the newest. */
export function NewMessagesButton({ conversation, log }: Props) {
  const { isAtBottom } = useWindowState('scroll');
  const place = useWindowState('place');
  const { focus } = useWindowCommands();
  const count = isAtBottom ? 0 : countNewMessages(conversation, place);
  if (count === 0) return null;
  const isMany = count > MOST_COUNTED;
  return (
    <button
      type="button"
      className="new-messages"
      aria-label={isMany ? `More than ${MOST_COUNTED} new messages` : pluralize(count, 'new message')}
      title="Go to the newest message"
      onClick={() => {
        if (log.current !== null) scrollFor(log.current, { top: log.current.scrollHeight });
        // The button disappears.
        focus(log.current, { preventScroll: true });
      }}
    >
      <span aria-hidden="true">↓</span> {isMany ? `${MOST_COUNTED}+` : count} new
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
  const timeAt = useArrivalTimes();
  const newFrom = dividerIndex(conversation, useWindowState('place'));
  const { stayWhereIRead: stays } = useSelector(selectPreferences);
  return { timeAt, newFrom, stays };
}

const selectArrivals = (state: SharedState) => state.arrivals;
const selectTimesOfDay = (state: SharedState) => state.timesOfDay;

/**
 * Returns a function from the index of a message to the time at which it arrived, in milliseconds since 1970 (UTC); `undefined` when that is not
 * known.
 */
function useArrivalTimes(): TimeAt {
  const arrivals = useSelector(selectArrivals);
  const timesOfDay = useSelector(selectTimesOfDay);
  return useMemo(() => arrivalTimes({ arrivals, timesOfDay }), [arrivals, timesOfDay]);
}
