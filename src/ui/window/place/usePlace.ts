import { useSelector } from 'react-redux';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { selectPreferences } from '#shared/store/selectors.ts';
import { useOwn } from '../base/useOwn.ts';
import { dividerIndex } from './newMessages.ts';
import { useArrivalTimes } from './useArrivalTimes.ts';

/** Returns what the list of messages shows about times and the place at which the person last looked. */
export function usePlace(conversation: Conversation) {
  const timeAt = useArrivalTimes();
  const newFrom = dividerIndex(conversation, useOwn('place'));
  const { stayWhereIRead: stays } = useSelector(selectPreferences);
  return { timeAt, newFrom, stays };
}
