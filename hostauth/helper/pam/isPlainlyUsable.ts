const WHOLE = /^\d+$/;

/**
 * Returns whether the entry in `/etc/shadow` plainly allows the use of an account: it never expires, and its password was changed
 * within the days for which it is valid. For all other accounts, and those of directories, unix_chkpwd decides.
 * @param today days since 1970, in UTC.
 */
export function isPlainlyUsable(shadow: string, username: string, today: number): boolean {
  const [entry, another] = shadow.split('\n').filter((line) => line.startsWith(`${username}:`));
  if (entry === undefined || another !== undefined) return false;
  const [, , changed = '', , lasts = '', , , expires] = entry.split(':');
  if (expires !== '' || !WHOLE.test(changed) || !WHOLE.test(lasts)) return false;
  const age = today - Number(changed);
  // Changed on day 0 means: must be changed now.
  return changed !== '0' && age >= 0 && age <= Number(lasts);
}
