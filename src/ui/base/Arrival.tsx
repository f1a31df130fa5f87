import { timeOf } from '#shared/conversation/notice.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import type { SharedState } from '#shared/store/rootReducer.ts';
import { timeOfDayAt } from '#shared/store/sharedSlices.ts';

/**
 * Shows when a message was sent: in the label of a group always, beside a message within a group while the pointer or the focus is on it, and to screen
 * readers always. The style sheet draws the time, so that the text of a message contains only what was sent. `at` is in milliseconds since 1970 (UTC); `undefined` when it is not known.
 */
export function Arrival({ at }: { readonly at: number | undefined }) {
  if (at === undefined) return null;
  const time = timeTexts.time(at);
  return (
    <time
      className="arrival"
      dateTime={new Date(at).toISOString()}
      title={`${timeTexts.day(at)}, ${time}`}
      data-time={time}
    />
  );
}

interface DayDividerProps {
  /** When the message before it and the message after it were sent, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** Whether no message is before it. */
  readonly isFirst: boolean;
}

/** Shows the date before the first message, and between two messages that were sent on different days. */
export function DayDivider({ before, after, isFirst }: DayDividerProps) {
  if (after === undefined || !(isFirst || areOnDifferentDays(before, after))) return null;
  const day = timeTexts.day(after);
  return (
    // An `hr` contains no text.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className="divider" role="separator" aria-label={day}>
      {day}
    </div>
  );
}

/** Shows where the messages begin that arrived after the person last looked. */
export const NewDivider = () => (
  // An `hr` contains no text.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div className="divider divider-new" role="separator" aria-label="New messages">
    New messages
  </div>
);

const EDITED = 'Edited: replaces the question above and its answer';

/** Shows that the message below replaces an earlier question. */
export const EditDivider = () => (
  // An `hr` contains no text.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  <div className="divider" role="separator" aria-label={EDITED}>
    {EDITED}
  </div>
);

/** Returns the time at which the message at an index was sent, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
export type TimeAt = (index: number) => number | undefined;

/** Returns the times of the messages of a conversation: those that the platform names, otherwise when the messages arrived. */
export const messageTimes =
  ({
    conversation,
    arrivals,
    timesOfDay,
  }: Pick<SharedState, 'conversation' | 'arrivals' | 'timesOfDay'>): TimeAt =>
  (index) => {
    const message = itemAt(conversation.messages, index);
    const time = message && timeOf(message);
    if (time !== undefined) return time;
    const arrival = itemAt(arrivals, index) ?? null;
    return arrival === null ? undefined : timeOfDayAt(timesOfDay, arrival);
  };

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** In every time zone, days begin at a multiple of this. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

/**
 * Returns functions that write times, in milliseconds since 1970 (UTC), for a person: the time of day (`16:20`), the date with its weekday
 * (`Sunday, 22 November 2026`), and whether two times have different dates. Without arguments, they use the browser's locale and time zone. The formats
 * are made when they are first needed, because that takes milliseconds.
 */
export function createTimeTexts(locale?: string, timeZone?: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    let made: Intl.DateTimeFormat | undefined;
    return (at: number) => (made ??= new Intl.DateTimeFormat(locale, { ...options, timeZone })).format(at);
  };
  const day = format(DAY);
  /** The dates of the quarters of an hour. Rows compare their dates at each update. */
  const days = new Map<number, string>();
  const dayOf = (at: number) => {
    const quarter = Math.floor(at / QUARTER_HOUR_MS);
    const known = days.get(quarter) ?? day(at);
    days.set(quarter, known);
    return known;
  };
  return { time: format(TIME), day, areOnDifferentDays: (a: number, b: number) => dayOf(a) !== dayOf(b) };
}

const timeTexts = createTimeTexts();

/** Returns whether two times have different dates for the person; `false` when one is not known. */
export const areOnDifferentDays = (a: number | undefined, b: number | undefined): boolean =>
  a !== undefined && b !== undefined && timeTexts.areOnDifferentDays(a, b);
