/** The error for a session that cannot be shown or a request that cannot be answered; `message` is one line for the person. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}
