import { BrowserWindow, type WebContents } from 'electron';
import { messengerWindows } from './messengerWindows.ts';

const numbers = new WeakMap<BrowserWindow, number>();
let lastNumber = 0;

/** Gives a new messenger window its number: 1, 2, … in the order of opening. A number is not used again. */
export function numberWindow(window: BrowserWindow): number {
  lastNumber += 1;
  numbers.set(window, lastNumber);
  return lastNumber;
}

/** Returns the number of the messenger window that shows a page; `undefined` when it has none. */
export function windowNumber(contents: WebContents): number | undefined {
  const window = BrowserWindow.fromWebContents(contents);
  return window === null ? undefined : numbers.get(window);
}

/** Returns the open messenger window with a number; `undefined` when it was closed. */
export const findWindow = (number: number): BrowserWindow | undefined =>
  messengerWindows().find((window) => numbers.get(window) === number);
