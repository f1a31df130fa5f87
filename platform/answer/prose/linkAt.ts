/** The address of a link in Markdown, and the number of characters from its opening parenthesis to its closing one. */
interface Link {
  readonly address: string;
  readonly length: number;
}

const DESTINATION =
  /\([ \t\n]*(?:<([^<>\n]{0,2000})>|((?:[^\s()<]|\([^\s()]{0,500}\)){1,2000}))?(?:[ \t\n]+(?:"[^"]{0,500}"|'[^']{0,500}'))?[ \t\n]*\)/y;
const ALLOWED = /^(?:https?:\/\/|mailto:)/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Returns the link whose address begins with the parenthesis at `at`; `undefined` when there is none. */
export function linkAt(text: string, at: number): Link | undefined {
  DESTINATION.lastIndex = at;
  const match = DESTINATION.exec(text);
  return match ? { address: match[1] ?? match[2] ?? '', length: match[0].length } : undefined;
}

/** Returns whether a link may have an address: `http`, `https` or `mailto`. */
export const isAllowedAddress = (address: string): boolean => ALLOWED.test(address);

/** Returns whether an address has a scheme that a link may not have. A relative address has none. */
export const hasForbiddenScheme = (address: string): boolean =>
  SCHEME.test(address) && !isAllowedAddress(address);
