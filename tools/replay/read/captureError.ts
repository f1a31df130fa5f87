/** A capture that cannot be used. `message` is one line that names the file, and the line where there is one. */
export class CaptureError extends Error {
  override readonly name = 'CaptureError';
}
