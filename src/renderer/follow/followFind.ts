import { isFindKey } from '#ui/window/find/findKey.ts';
import { openFind } from '../acts/openFind.ts';
import { isBehindDialog } from '../base/isBehindDialog.ts';
import { showsConversation } from '../base/showsConversation.ts';
import type { OwnStore } from '../store/ownStore.ts';

/** Opens the find bar with Ctrl+F or ⌘F, in place of the browser's own, which finds only what is in the document. */
export function followFind(target: Window, store: OwnStore): void {
  target.addEventListener('keydown', (event) => {
    const { own } = store.getState();
    if (!isFindKey(event) || !showsConversation(own) || event.defaultPrevented) return;
    event.preventDefault();
    if (!isBehindDialog(own)) openFind(store);
  });
}
