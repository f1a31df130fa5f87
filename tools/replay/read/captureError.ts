/** A capture that cannot be used. `message` is one line with the file and, if known, the line. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
