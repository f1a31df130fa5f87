import type { Store } from './createStore.ts';
import type { InspectorState, Theme } from './state.ts';

/** Returns the next theme: from the system's setting to light, to dark, and back. */
export const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Applies the selected theme to the page. */
export function followTheme(store: Store<InspectorState>, root: HTMLElement): () => void {
  const apply = () => {
    const { theme } = store.get();
    if (root.dataset['theme'] !== theme) root.dataset['theme'] = theme;
  };
  apply();
  return store.subscribe(apply);
}
