import { type RefObject, useEffect } from 'react';
import type { Conversation } from '#shared/conversation/conversation.ts';
import { copiedConversation } from './conversationText.ts';
import { isLong } from './isLong.ts';
import { type SelectedRange, selectedRange } from './selectedRange.ts';

/** Copies a part of the conversation that is long, or that has not arrived completely. */
export type CopyLater = (range: SelectedRange) => void;

/**
 * Copies a selection over several rows from the state: most rows of a long conversation are not in the document.
 * @param copyLater `undefined` in a picture of a window, where every copy is complete at the end of the event.
 */
export function useCopy(
  conversation: Conversation,
  log: RefObject<HTMLElement | null>,
  copyLater: CopyLater | undefined,
): void {
  useEffect(() => {
    const copy = (event: ClipboardEvent) => {
      const isInField = event.target instanceof Element && event.target.matches('input, textarea');
      if (log.current === null || isInField || event.defaultPrevented) return;
      const range = selectedRange(log.current, conversation.messages.length);
      if (range === null) return;
      const isLater = copyLater !== undefined && isLong(conversation, range);
      const copied = isLater ? null : copiedConversation(conversation, range);
      if (copied?.text === '') return;
      event.preventDefault();
      if (copied === null) copyLater?.(range);
      else {
        event.clipboardData?.setData('text/plain', copied.text);
        event.clipboardData?.setData('text/html', copied.html);
      }
    };
    document.addEventListener('copy', copy);
    return () => document.removeEventListener('copy', copy);
  }, [conversation, log, copyLater]);
}
