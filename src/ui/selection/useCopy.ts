import { type RefObject, useEffect } from 'react';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { conversationText } from './conversationText.ts';
import { selectedRange } from './selectedRange.ts';

/** Copies a selection over several rows from the state: most rows of a long conversation are not in the document. */
export function useCopy(conversation: Conversation, log: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.matches('input, textarea');
      if (log.current === null || isInField || event.defaultPrevented) return;
      const range = selectedRange(log.current, conversation.messages.length);
      const text = range === null ? '' : conversationText(conversation, range);
      if (text === '') return;
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [conversation, log]);
}
