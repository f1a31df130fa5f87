import type { OwnState } from '#shared/actions/windowSchemas.ts';
import type { ReplayState } from '#shared/replay/reducer.ts';
import { backlogOf } from '#shared/store/backlog.ts';
import type { TimesOfDay } from '#shared/store/timesOfDay.ts';
import { initialOwnState } from '#shared/window/ownReducer.ts';
import type { WindowView } from '../../protocol/protocol.ts';
import type { Moment } from '../trace/app.ts';

/**
 * Returns what a window showed after a step, without the conversation: of the chosen window while it was open, otherwise of the first open one.
 * While none was open, and in captures without windows, it is what a window would show.
 */
export function windowView(moment: Moment<ReplayState>): WindowView {
  const { connection, wasConnected, words, appliedUpdates, preferences, audio, backlog, windows, queue } =
    moment.after;
  const numbers = Object.keys(windows).map(Number);
  const number = numbers.find((one) => one === moment.window) ?? numbers[0] ?? null;
  const window = number === null ? undefined : windows[number];
  return {
    number,
    isVisible: window?.isVisible !== false,
    isMinimized: window?.isMinimized === true,
    recordedMs: recordedMs(moment),
    state: {
      sequence: 0,
      timesOfDay: timesOfDay(moment),
      connection,
      wasConnected,
      words,
      appliedUpdates,
      preferences,
      audio,
      // A capture without windows has no reports of the backlog either.
      backlog: window === undefined ? backlogOf(queue.length) : backlog,
      own: window?.own ?? defaultOwnState(moment),
    },
  };
}

/** Returns the time of day of the launch: that of the start of the recording, and the time since then. */
function timesOfDay({ startedAt, after }: Moment<ReplayState>): TimesOfDay {
  const start = Date.parse(startedAt);
  return Number.isNaN(start) ? [] : [{ sinceLaunch: 0, timeOfDay: start + (after.queue.launchedAt ?? 0) }];
}

/** Returns the own state of a window that shows the session: the conversation from the launch on. */
const defaultOwnState = ({ isLaunched }: Moment<ReplayState>): OwnState =>
  isLaunched ? { ...initialOwnState, view: 'conversation' } : initialOwnState;

/** Returns how long the recording that runs after a step has lasted, in milliseconds; 0 when none runs. */
function recordedMs({ t, marks }: Moment<ReplayState>): number {
  const start = marks[marks.findLastIndex(({ isRecording }) => !isRecording) + 1];
  return start === undefined ? 0 : t - start.t;
}
