import { timeTexts } from './timeTexts.ts';

interface Props {
  /** Milliseconds since 1970 (UTC); `undefined` when it is not known. */
  readonly at: number | undefined;
}

/**
 * Shows when a message arrived: to screen readers always, otherwise while the pointer or the focus is on the message. The style sheet draws the
 * time, so that the text of a message contains only what was sent.
 */
export function Arrival({ at }: Props) {
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
