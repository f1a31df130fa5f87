import type { RefObject } from 'react';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { pluralize } from '#shared/pluralize.ts';
import { scrollFor } from '#ui/scrollFor.ts';
import { useOwn } from '../base/useOwn.ts';
import { useWindowActs } from '../base/WindowActs.ts';
import { MOST_COUNTED, countNewMessages } from './newMessages.ts';

interface Props {
  readonly conversation: Conversation;
  /** The element that scrolls. */
  readonly log: RefObject<HTMLElement | null>;
}

/** Shows how many messages of others have arrived below the view; a press scrolls to the newest. */
export function NewMessagesButton({ conversation, log }: Props) {
  const { isAtBottom } = useOwn('scroll');
  const place = useOwn('place');
  const { focus } = useWindowActs();
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
