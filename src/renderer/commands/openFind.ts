import { flushSync } from 'react-dom';
import { findOpened } from '#shared/actions/windowActions.ts';
import { showsConversation } from '../base/showsConversation.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/** Opens the find bar of a window that shows the conversation. When it is open already, selects its text. */
export function openFind({ getState, dispatch }: WindowStateStore): void {
  const { own } = getState();
  if (!showsConversation(own)) return;
  // Synchronous, so that the next key already goes to the bar.
  if (own.find === null) flushSync(() => dispatch(findOpened()));
  else document.querySelector<HTMLInputElement>('search input')?.select();
}
