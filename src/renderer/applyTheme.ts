import type { WindowStore } from './store/store.ts';

/** Keeps the page's colours as the person has set them; `system` leaves them to the system. */
export function applyTheme({ getState, subscribe }: WindowStore, page: HTMLElement): void {
  const apply = () => {
    page.dataset.theme = getState().preferences.theme;
  };
  subscribe(apply);
  apply();
}
