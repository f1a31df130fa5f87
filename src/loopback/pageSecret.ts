/**
 * The page's end of `Access.pageSecret`: the document that spends the token carries the secret, and the page's script keeps it in
 * the origin's `localStorage`, for its later documents and tabs. It stands in no address.
 */
const NAME = 'parley-page-secret';

/** The element of the document that carries the secret. */
export const pageSecretTag = (secret: string): string => `<meta name="${NAME}" content="${secret}" />`;

/** Keeps the secret that the document carries, if it carries one, and removes it from the document. */
export function keepPageSecret({ document, localStorage }: Window): void {
  const tag = document.querySelector<HTMLMetaElement>(`meta[name="${NAME}"]`);
  if (tag === null) return;
  localStorage.setItem(NAME, tag.content);
  tag.remove();
}

/** The origin's secret; `null` in a browser that has not opened an address with a token. */
export const readPageSecret = ({ localStorage }: Window): string | null => localStorage.getItem(NAME);

/** Calls the listener when another tab of this origin has kept a secret. */
export function onPageSecret(window: Window, listener: () => void): void {
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === NAME && newValue !== null) listener();
  });
}
