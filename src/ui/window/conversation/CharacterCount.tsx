import { TEXT_LENGTH } from '#shared/limits.ts';

/** From this length on, the number of characters is shown. */
const COUNTED_LENGTH = 200;

/** Shows the number of characters of a text that is almost, or completely, too long for a message. */
export const CharacterCount = ({ count }: { readonly count: number }) =>
  count < COUNTED_LENGTH ? null : (
    <span className="count" aria-hidden="true" data-over={count >= TEXT_LENGTH}>
      {count}/{TEXT_LENGTH - 1}
    </span>
  );
