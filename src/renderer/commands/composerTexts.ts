import { formatCount } from '#shared/formatText.ts';
import { STATE_TEXT_LENGTH } from '#shared/limits.ts';
import type { Note } from '#shared/actions/windowSchemas.ts';

/** The texts of the conversation's alerts and notes. The first two are the specification's (spec §7). */
export const FILE_TOO_LARGE = 'File must be under 1MB.';
export const TEXT_TOO_LONG = '250 character limit';
export const FOLDER_DROPPED = 'A folder cannot be sent. Drop a file instead.';
export const FILE_UNREADABLE = 'The file cannot be read.';
const HOLDS = `the text box holds ${formatCount(STATE_TEXT_LENGTH)} characters`;
export const PASTE_CUT = `The pasted text was cut: ${HOLDS}.`;
export const PASTE_SHORTENED = `The pasted text is not shown completely: ${HOLDS}. “Send as file” sends all of it.`;
export const PASTE_REST_LOST = `Only the text of the text box was sent: the end of the pasted text was changed there.`;

const ONLY_FIRST = 'Only the first of';

/** Returns the note about several files of which one was taken. */
export const onlyFirstTaken = (count: number): string =>
  `${ONLY_FIRST} ${count} files was taken. To send all of them, turn on “Send all dropped files” in the settings.`;

/** Returns whether a note is about files that were not taken. The next file that is sent makes it outdated. */
export const isAboutFiles = (note: Note | null): boolean => note?.text.startsWith(ONLY_FIRST) === true;
