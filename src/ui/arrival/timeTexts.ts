/** Writes times for a person. All times are in milliseconds since 1970 (UTC). */
export interface TimeTexts {
  /** Returns the time of day: `16:20`. */
  time(at: number): string;
  /** Returns the date with its weekday: `Sunday, 22 November 2026`. */
  day(at: number): string;
  /** Returns whether two times have different dates. */
  areOnDifferentDays(a: number, b: number): boolean;
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;

/** In every time zone, days begin at a multiple of this. */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

/**
 * Returns the texts of a locale and a time zone: without arguments, those of the browser. The formats are made when they are first needed, because that
 * takes milliseconds.
 */
export function createTimeTexts(locale?: string, timeZone?: string): TimeTexts {
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
  return { time: format(TIME), day, areOnDifferentDays: (a, b) => dayOf(a) !== dayOf(b) };
}

/** The texts of the browser's locale and time zone. */
export const timeTexts = createTimeTexts();
