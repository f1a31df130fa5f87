import type { About, DeletionDialogData, ParleyToolsBridge, SettingsDialogData } from '#shared/ipc/tools.ts';
import { type Cell, cell } from '../base/cell.ts';

/** An open dialog and its contents. */
export type OpenDialog =
  | { readonly dialog: 'settings'; readonly settings: SettingsDialogData }
  | { readonly dialog: 'deleteData'; readonly deletion: DeletionDialogData }
  | { readonly dialog: 'about'; readonly about: About };

/** Opens the dialogs that main requests: the person chose them in this window or in the application menu. */
export function followDialogs(tools: Pick<ParleyToolsBridge, 'on'>): Cell<OpenDialog | undefined> {
  const shown = cell<OpenDialog | undefined>(undefined);
  tools.on('settings', (settings) => shown.set({ dialog: 'settings', settings }));
  tools.on('about', (about) => shown.set({ dialog: 'about', about }));
  tools.on('deleteData', (deletion) => shown.set({ dialog: 'deleteData', deletion }));
  // Also in the other windows: what their dialogs show is deleted.
  tools.on('dataDeleted', () => shown.set(undefined));
  return shown;
}
