import { timeTexts } from './timeTexts.ts';

interface Props {
  /** When the message before it and the message after it arrived, in milliseconds since 1970 (UTC); `undefined` when that is not known. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Shows the date between two messages that arrived on different days. */
export function DayDivider({ before, after }: Props) {
  if (before === undefined || after === undefined || !timeTexts.areOnDifferentDays(before, after))
    return null;
  const day = timeTexts.day(after);
  return (
    // An `hr` contains no text.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div className="divider" role="separator" aria-label={day}>
      {day}
    </div>
  );
}
