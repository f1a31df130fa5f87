import type { WindowStore } from './store/createWindowStore.ts';

/**
 * Applies the theme of the preferences to the page when main's state arrives and when it changes; `system` follows the operating system. Until then
 * the page keeps the theme with which main served it: the store's initial preferences are not the person's.
 */
export function applyTheme({ getState, subscribe }: WindowStore, page: HTMLElement): void {
  let applied = getState().preferences;
  subscribe(() => {
    const { preferences } = getState();
    if (preferences === applied) return;
    applied = preferences;
    page.dataset.theme = preferences.theme;
  });
}
