import { signInFormCleared, stateReported } from '#shared/actions/windowActions.ts';
import { windowOf } from '#shared/window/windows.ts';
import type { Listeners } from '../store/listeners.ts';
import { messengerWindows } from './messengerWindows.ts';
import { sendTools } from './sendToWindows.ts';
import { findWindow, windowNumber } from './windowNumbers.ts';

/**
 * Creates the function that notifies every window that the person's data was deleted, with the result as a sentence: what they show of it is deleted too.
 * A page of the web host that is disconnected does not receive it. Therefore it is repeated when a window reports its state, as it does when its page has
 * loaded or connected again, until the window reports that it has cleared its form.
 */
export function createDeletionNotifier({ startListening }: Listeners): (text: string) => void {
  /** The texts that windows have not received yet, by the window's number. */
  const waiting = new Map<number, string>();
  const send = (number: number | undefined) => {
    if (number === undefined) return;
    const [window, text] = [findWindow(number), waiting.get(number)];
    if (window !== undefined && text !== undefined) sendTools(window.webContents, 'dataDeleted', text);
  };
  startListening({ actionCreator: stateReported, effect: (action) => send(windowOf(action)) });
  startListening({
    actionCreator: signInFormCleared,
    effect: (action) => void waiting.delete(windowOf(action) ?? 0),
  });
  return (text) => {
    waiting.clear();
    for (const { webContents } of messengerWindows()) {
      const number = windowNumber(webContents);
      if (number !== undefined) waiting.set(number, text);
      send(number);
    }
  };
}
