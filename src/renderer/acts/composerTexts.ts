/** The texts of the conversation's alerts. The first two are the specification's (spec §7). */
export const FILE_TOO_LARGE = 'File must be under 1MB.';
export const TEXT_TOO_LONG = '250 character limit';
export const FOLDER_DROPPED = 'A folder cannot be sent. Drop a file instead.';
export const FILE_UNREADABLE = 'The file cannot be read.';
