import { copied } from '#shared/actions/windowActions.ts';
import { CODE_COPIED, CodeCopied } from '#ui/code/decorateCode.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/**
 * Follows what the person copies: selections, and blocks of code. Their texts are in no action. A long selection over several messages is copied
 * later, by `copyLater`.
 */
export function followCopy(target: Window, { dispatch }: Pick<WindowStateStore, 'dispatch'>): void {
  // At the window: what the conversation copies itself is on the clipboard already.
  target.addEventListener('copy', (event) => {
    const length = event.defaultPrevented
      ? (event.clipboardData?.getData('text/plain').length ?? 0)
      : selectedLength(target.document);
    if (length > 0) dispatch(copied({ kind: 'selection', length, outcome: 'copied' }));
  });
  target.addEventListener(CODE_COPIED, (event) => {
    if (!(event instanceof CodeCopied)) return;
    const { codeLength: length, isCopied } = event;
    dispatch(copied({ kind: 'code', length, outcome: isCopied ? 'copied' : 'failed' }));
  });
}

/** Returns the length of the selection that the browser copies, in UTF-16 units; 0 when there is none. */
function selectedLength(document: Document): number {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLTextAreaElement || activeElement instanceof HTMLInputElement;
  if (!isField) return document.getSelection()?.toString().length ?? 0;
  // The browser copies no password.
  if (activeElement.type === 'password') return 0;
  return (activeElement.selectionEnd ?? 0) - (activeElement.selectionStart ?? 0);
}
