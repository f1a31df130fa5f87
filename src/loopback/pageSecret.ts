/**
 * The page's end of `Access.pageSecret`: the document that spends the token carries the secret, and the page's script keeps it in
 * the origin's `localStorage`, for its later documents and tabs. It stands in no address.
 */
const NAME = 'parley-page-secret';

/** The element of the document that carries the secret. */
export const pageSecretTag = (secret: string): string => `<meta name="${NAME}" content="${secret}" />`;

/**
 * Keeps the secret that the document carries, if it carries one, and removes it from the document. The token is spent: it is
 * removed from the address, for it has no place in the history or in a bookmark.
 */
export function takePageSecret(window: Window): void {
  const tag = window.document.querySelector<HTMLMetaElement>(`meta[name="${NAME}"]`);
  if (tag !== null) window.localStorage.setItem(NAME, tag.content);
  tag?.remove();
  const url = new URL(window.location.href);
  if (!url.searchParams.has('token')) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
}

/** The origin's secret; `null` in a browser that has not opened an address with a token. */
export const readPageSecret = ({ localStorage }: Window): string | null => localStorage.getItem(NAME);

/** The header by which a page of ours presents the origin's secret. */
export function pageSecretHeaders(window: Window): Record<string, string> {
  return { authorization: `Bearer ${readPageSecret(window)}` };
}

/** Calls the listener when another tab of this origin has kept a secret. */
export function onPageSecret(window: Window, listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === NAME && newValue !== null) listener();
  });
}
