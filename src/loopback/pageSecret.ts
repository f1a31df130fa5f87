/**
 * The page's part of `Access.pageSecret`: the document that used the token contains the secret, and the page's script stores it
 * in the origin's `localStorage`, for later documents and tabs. No address contains it.
 */
const NAME = 'parley-page-secret';

/** Returns the element of the document that contains the secret. */
export const pageSecretTag = (secret: string): string => `<meta name="${NAME}" content="${secret}" />`;

/**
 * Stores the secret of the document, if it contains one, and removes it from the document. Also removes the used token from
 * the address, so that the history and bookmarks do not contain it.
 */
export function takePageSecret(window: Window): void {
  const tag = window.document.querySelector<HTMLMetaElement>(`meta[name="${NAME}"]`);
  if (tag !== null) keepPageSecret(window, tag.content);
  tag?.remove();
  const url = new URL(window.location.href);
  if (!url.searchParams.has('token')) return;
  url.searchParams.delete('token');
  window.history.replaceState(window.history.state, '', url);
}

/** Stores the origin's secret. */
export const keepPageSecret = ({ localStorage }: Window, secret: string): void =>
  localStorage.setItem(NAME, secret);

/** Returns the origin's secret; `null` in a browser that has not opened an address with a token. */
export const readPageSecret = ({ localStorage }: Window): string | null => localStorage.getItem(NAME);

/** Returns the header with which a page presents the origin's secret. */
export function pageSecretHeaders(window: Window): Record<string, string> {
  return { authorization: `Bearer ${readPageSecret(window)}` };
}

/** Calls the listener when another tab of this origin has stored a secret. */
export function onPageSecret(window: Window, listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === NAME && newValue !== null) listener();
  });
}
