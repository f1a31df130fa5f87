/** Returns the session storage of a page; `null` when the browser's settings refuse it. */
export function sessionStorageOf(page: Window): Storage | null {
  try {
    return page.sessionStorage;
  } catch (error) {
    console.warn('The page has no storage: a reload loses the draft.', error);
    return null;
  }
}
