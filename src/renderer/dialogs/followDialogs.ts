import type { About, DeletionShown, ParleyToolsBridge, SettingsShown } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** An open dialog and its contents. */
export type Shown =
  | { readonly dialog: 'settings'; readonly settings: SettingsShown }
  | { readonly dialog: 'deleteData'; readonly deletion: DeletionShown }
  | { readonly dialog: 'about'; readonly about: About };

/** Opens the dialogs that main requests: the person chose them in this window or in the application menu. */
export function followDialogs(tools: Pick<ParleyToolsBridge, 'on'>): Cell<Shown | undefined> {
  const shown = cell<Shown | undefined>(undefined);
  tools.on('settings', (settings) => shown.set({ dialog: 'settings', settings }));
  tools.on('about', (about) => shown.set({ dialog: 'about', about }));
  tools.on('deleteData', (deletion) => shown.set({ dialog: 'deleteData', deletion }));
  // Also in the other windows: what their dialogs show is deleted.
  tools.on('dataDeleted', () => shown.set(undefined));
  return shown;
}
