/** The database's file is damaged. `message` is for the person. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
  override readonly message =
    'The platform’s file is damaged. Start Parley again: it keeps the file and begins a new one.';
}
