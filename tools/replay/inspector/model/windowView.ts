import type { WindowsState } from '#shared/window/windows.ts';
import { backlogOf } from '#shared/store/backlog.ts';
import type { TimesOfDay } from '#shared/store/timesOfDay.ts';
import { initialOwnState } from '#shared/window/ownReducer.ts';
import type { WindowView } from '../protocol/protocol.ts';
import type { Trace } from './trace/trace.ts';
import { actsAt, appliedUpdatesAt, connectionAt, queueAt, wordsAt } from './trace/traceState.ts';
import type { OwnState } from '#shared/actions/windowSchemas.ts';

/**
 * Returns what a window showed after a step, without the conversation: of the window with the number `chosen` while it was open, otherwise of
 * the first open one. While none was open, and in captures without windows, it is what a window would show.
 */
export function windowView(trace: Trace, step: number, chosen?: number): WindowView {
  const { wasConnected, backlog, audio, preferences, windows } = actsAt(trace, step);
  const numbers = numbersOf(windows);
  const number = numbers.find((one) => one === chosen) ?? numbers[0] ?? null;
  const window = number === null ? undefined : windows[number];
  return {
    number,
    isVisible: window?.isVisible !== false,
    isMinimized: window?.isMinimized === true,
    recordedMs: recordedMs(trace, step),
    state: {
      sequence: 0,
      timesOfDay: timesOfDay(trace, step),
      connection: connectionAt(trace, step).state,
      wasConnected,
      words: wordsAt(trace, step),
      appliedUpdates: appliedUpdatesAt(trace, step),
      preferences,
      audio,
      // A capture without windows has no reports of the backlog either.
      backlog: window === undefined ? backlogOf(queueAt(trace, step).length) : backlog,
      own: window?.own ?? defaultOwnState(trace, step),
    },
  };
}

/** Returns the time of day of the launch: that of the start of the recording, which the header contains, and the time since then. */
function timesOfDay(trace: Trace, step: number): TimesOfDay {
  const startedAt = Date.parse(trace.header.startedAt);
  return Number.isNaN(startedAt)
    ? []
    : [{ sinceLaunch: 0, timeOfDay: startedAt + actsAt(trace, step).launchedAt }];
}

/** Returns the numbers of all windows of the session, ascending. */
export function windowNumbers({ acts }: Trace): number[] {
  const numbers = new Set<number>();
  let last: WindowsState | undefined;
  for (const { windows } of acts) {
    if (windows !== last) for (const number of numbersOf(windows)) numbers.add(number);
    last = windows;
  }
  return [...numbers].sort((a, b) => a - b);
}

const numbersOf = (windows: WindowsState): number[] => Object.keys(windows).map(Number);

/** Returns the own state of a window that shows the session: the conversation from the launch on. */
const defaultOwnState = ({ launchStep = 0 }: Trace, step: number): OwnState =>
  step < launchStep ? initialOwnState : { ...initialOwnState, view: 'conversation' };

/** Returns how long the recording that runs after a step has lasted, in milliseconds; 0 when none runs. */
function recordedMs(trace: Trace, step: number): number {
  let start = step;
  for (let at = step; at >= 0; at = start - 1) {
    const mark = actsAt(trace, at);
    if (!mark.audio.isRecording) break;
    start = mark.step;
  }
  const { times } = trace.steps;
  return times.at(step) - times.at(start);
}
