const PROTOCOLS = new Set(['http:', 'https:']);
/** What people copy from an example instead of the base URL. */
const FULL_PATH = /\/(?:chat\/completions|completions|models)$/;

/**
 * Returns the base URL of an endpoint without a trailing slash; a URL without a path gets `/v1`. Returns `null` for a text that
 * is not an http or https address, or has a name, a password, a query or a fragment.
 */
export function parseEndpointUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (!PROTOCOLS.has(protocol) || [username, password, search, hash].some((part) => part !== '')) return null;
  const path = pathname.replace(/\/+$/, '').replace(FULL_PATH, '');
  return `${protocol}//${host}${path || '/v1'}`;
}
