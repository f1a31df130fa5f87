import type { Middleware } from '@reduxjs/toolkit';
import type { ParleyToolsBridge } from '#shared/ipc/tools.ts';
import { type OwnAction, isOwnAction } from '#shared/actions/actionTable.ts';
import type { OwnState } from '#shared/actions/windowSchemas.ts';
import { stateReported } from '#shared/actions/windowActions.ts';

/**
 * Reports the window's own actions to main, in the order in which the window applies them. Reports are numbered from the load of the page.
 * The first one, and the answer to main's `reportState`, is the window's whole own state. Main repeats the number that it expects, so that a lost last
 * report is noticed.
 */
export const reportActions =
  ({ send, on }: Pick<ParleyToolsBridge, 'send' | 'on'>): Middleware<object, { readonly own: OwnState }> =>
  ({ getState }) => {
    let count = 0;
    const report = ({ type, payload }: OwnAction) =>
      send('report', count++, { type, ...(payload !== undefined && { payload }) });
    const reportState = () => report(stateReported({ state: getState().own }));
    reportState();
    let countAtCheck = 0;
    on('reportState', (next) => {
      if (next === undefined) return reportState();
      // What was sent before the previous check is not on its way any more.
      if (next < countAtCheck) reportState();
      countAtCheck = count;
    });
    return (next) => (action) => {
      // Before it is applied: what is dispatched meanwhile follows it in the same order.
      if (isOwnAction(action)) report(action);
      return next(action);
    };
  };
