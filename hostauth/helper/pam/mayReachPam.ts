import type { Credentials } from '../../link/helperProtocol.ts';

/** The longest name of Linux, in bytes of UTF-8. */
const MAX_USERNAME_BYTES = 32;

/** authenticate-pam copies 127 bytes, and reads past the copy when a text fills them. In bytes of UTF-8. */
const MAX_PASSWORD_BYTES = 126;

/** NUL ends a text early; a line end starts another line for tools that read lines. */
const NEVER_IN_TEXT = ['\0', '\r', '\n'];

/**
 * Returns whether credentials may reach PAM. The name must not be empty: PAM would prompt for it, and authenticate-pam answers each
 * prompt with the password.
 */
export const mayReachPam = ({ username, password }: Credentials): boolean =>
  username !== '' && isPlain(username, MAX_USERNAME_BYTES) && isPlain(password, MAX_PASSWORD_BYTES);

const isPlain = (text: string, maxBytes: number): boolean =>
  Buffer.byteLength(text) <= maxBytes &&
  // A lone surrogate has no UTF-8 and would arrive as another character.
  text.isWellFormed() &&
  !NEVER_IN_TEXT.some((character) => text.includes(character));
