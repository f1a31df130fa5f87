import type { Middleware } from '@reduxjs/toolkit';
import type { ParleyToolsBridge } from '#shared/ipc/channels.ts';
import { type WindowStateAction, isWindowStateAction } from '#shared/actions/actionTable.ts';
import type { WindowState } from '#shared/actions/windowSchemas.ts';
import { stateReported } from '#shared/actions/windowActions.ts';

/**
 * Sends the actions of the window's state to main, in the order in which the window applies them. They are numbered from the load of the page.
 * The first one, and the answer to main's `requestState`, is the whole state. Main repeats the number that it expects, so that a lost last
 * action is noticed.
 */
export const sendState =
  ({ send, on }: Pick<ParleyToolsBridge, 'send' | 'on'>): Middleware<object, { readonly own: WindowState }> =>
  ({ getState }) => {
    let count = 0;
    const sendNumbered = ({ type, payload }: WindowStateAction) =>
      send('action', { type, ...(payload !== undefined && { payload }) }, count++);
    const sendWhole = () => sendNumbered(stateReported({ state: getState().own }));
    sendWhole();
    let countAtCheck = 0;
    on('requestState', (next) => {
      if (next === undefined) return sendWhole();
      // What was sent before the previous check is not on its way any more.
      if (next < countAtCheck) sendWhole();
      countAtCheck = count;
    });
    return (next) => (action) => {
      // Before it is applied: what is dispatched meanwhile follows it in the same order.
      if (isWindowStateAction(action)) sendNumbered(action);
      return next(action);
    };
  };
