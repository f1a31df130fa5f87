import type { Store } from './createStore.ts';
import type { InspectorState, Theme } from './state.ts';

/** From what the system asks for to light, to dark, and back. */
export const NEXT_THEME: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Keeps the page in the chosen colours. */
export function followTheme(store: Store<InspectorState>, root: HTMLElement): () => void {
  const apply = () => {
    const { theme } = store.get();
    if (root.dataset['theme'] !== theme) root.dataset['theme'] = theme;
  };
  apply();
  return store.subscribe(apply);
}
