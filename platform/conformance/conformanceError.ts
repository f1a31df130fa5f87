/** The suite cannot test the platform: it is unreachable, or refuses the account. `message` is one line that says what to do. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}
