import type { About, DeletionShown, ParleyToolsBridge, SettingsShown } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** What is shown before the window's view. */
export type Shown =
  | { readonly dialog: 'settings'; readonly settings: SettingsShown }
  | { readonly dialog: 'deleteData'; readonly deletion: DeletionShown }
  | { readonly dialog: 'about'; readonly about: About };

/** Follows what main wants shown: it was asked for here, or in the application's menu. */
export function followDialogs(tools: Pick<ParleyToolsBridge, 'on'>): Cell<Shown | undefined> {
  const shown = cell<Shown | undefined>(undefined);
  tools.on('settings', (settings) => shown.set({ dialog: 'settings', settings }));
  tools.on('about', (about) => shown.set({ dialog: 'about', about }));
  tools.on('deleteData', (deletion) => shown.set({ dialog: 'deleteData', deletion }));
  // Also in the windows that had asked for nothing: what they show is deleted.
  tools.on('dataDeleted', () => shown.set(undefined));
  return shown;
}
