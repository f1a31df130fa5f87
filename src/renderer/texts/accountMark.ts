/** The parameters of the FNV-1a hash with 32 bits. */
const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * Returns up to 8 hexadecimal digits by which a page recognizes the account of its stored texts. The account identifier is a credential, which is never stored
 * in a page; 32 bits do not reveal it.
 */
export function accountMark(account: string): string {
  let hash = OFFSET;
  for (let at = 0; at < account.length; at++) hash = Math.imul(hash ^ account.charCodeAt(at), PRIME);
  return (hash >>> 0).toString(16);
}
