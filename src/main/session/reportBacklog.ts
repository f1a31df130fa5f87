import { BACKLOG_MS } from '#shared/limits.ts';
import { backlogOf } from '#shared/store/backlog.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import type { MainStore } from '../store/mainStore.ts';
import { backlogReported } from '#shared/actions/sessionActions.ts';

/**
 * Reports to the windows how many updates wait: at once when the number becomes large, then once a second while it
 * changes. The report is a separate action, so that main and the windows apply all actions in the same order.
 */
export function reportBacklog(store: MainStore, clock: Clock): Cancel {
  let reportedAt = -Infinity;
  let cancel: Cancel | undefined;

  const waiting = () => backlogOf(store.getState().queue.length);
  const isReported = () => waiting().updates === store.getState().backlog.updates;
  const report = () => {
    cancel = undefined;
    if (isReported()) return;
    reportedAt = clock.now();
    store.dispatch(backlogReported(waiting()));
  };
  const stop = store.subscribe(() => {
    if (cancel !== undefined || isReported()) return;
    cancel = clock.after(Math.max(0, reportedAt + BACKLOG_MS - clock.now()), report);
  });
  return () => {
    stop();
    cancel?.();
  };
}
