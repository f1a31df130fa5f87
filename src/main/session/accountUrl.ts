/**
 * Returns the WebSocket address of an account: the identifier is one path segment (spec §4.2). Returns `undefined` for an
 * identifier that cannot be one: a dot segment would be another path, a lone surrogate has no encoding.
 */
export function accountUrl(platformUrl: string, account: string): string | undefined {
  if (account === '.' || account === '..' || !account.isWellFormed()) return undefined;
  return `${platformUrl}/${encodeURIComponent(account)}`;
}
