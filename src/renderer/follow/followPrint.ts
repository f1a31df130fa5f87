import { dialogRequested } from '#shared/actions/userActions.ts';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

const isMac = navigator.userAgent.includes('Mac OS');

/** Prints the conversation when main requests it. The key for printing requests it from main, in place of the browser's own command. */
export function followPrint(
  tools: Pick<ParleyToolsBridge, 'on' | 'send'>,
  { getState }: Pick<WindowStateStore, 'getState'>,
  print: () => void,
): void {
  tools.on('print', print);
  window.addEventListener('keydown', (event) => {
    const { view, startFailure } = getState().own;
    if (!isPrint(event) || view !== 'conversation' || startFailure !== null) return;
    event.preventDefault();
    tools.send('action', dialogRequested({ dialog: 'print' }));
  });
}

const isPrint = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'p' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
