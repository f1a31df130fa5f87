import type { WindowStore } from './store/createWindowStore.ts';

/** Applies the theme of the preferences to the page, also when it changes; `system` follows the operating system. */
export function applyTheme({ getState, subscribe }: WindowStore, page: HTMLElement): void {
  const apply = () => {
    page.dataset.theme = getState().preferences.theme;
  };
  subscribe(apply);
  apply();
}
