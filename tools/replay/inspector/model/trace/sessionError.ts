/** A session that cannot be shown, or a request that cannot be answered; `message` says what to do, in one line. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
}
