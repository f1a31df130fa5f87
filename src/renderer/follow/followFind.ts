import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { isFindKey } from '#ui/window/conversation/FindBar.tsx';
import { openFind } from '../commands/openFind.ts';
import { isBehindDialog } from '../base/isBehindDialog.ts';
import { showsConversation } from '../base/showsConversation.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/**
 * Opens the find bar with Ctrl+F or ⌘F, in place of the browser's own, which finds only what is in the document; and when main requests it
 * (*Find…* in the application's menu).
 */
export function followFind(
  { target, tools }: { readonly target: Window; readonly tools: Pick<ParleyToolsBridge, 'on'> },
  store: WindowStateStore,
): void {
  tools.on('find', () => {
    if (!isBehindDialog(store.getState().own)) openFind(store);
  });
  target.addEventListener('keydown', (event) => {
    const { own } = store.getState();
    if (!isFindKey(event) || !showsConversation(own) || event.defaultPrevented) return;
    event.preventDefault();
    if (!isBehindDialog(own)) openFind(store);
  });
}
