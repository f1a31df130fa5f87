import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { Listeners } from '../store/mainStore.ts';
import type { DesktopCommands } from './desktopCommands.ts';
import type { DesktopSource } from './setUpTray.ts';

interface Options {
  readonly store: { readonly getState: () => DesktopSource };
  readonly listeners: Listeners;
  readonly commands: DesktopCommands;
}

/** Sets the application's menu, and again when its state changes. */
export function setUpMenu({ store, listeners, commands }: Options): void {
  const isMac = process.platform === 'darwin';
  const show = () =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuTemplate({ commands, isMac, menu: menuState(store.getState()) })),
    );
  listeners.startListening({
    predicate(_, now, before) {
      const [is, was] = [menuState(now), menuState(before)];
      return is.isSignedIn !== was.isSignedIn || is.canReconnect !== was.canReconnect;
    },
    effect: show,
  });
  show();
}

interface MenuTemplateOptions {
  readonly commands: DesktopCommands;
  readonly menu: MenuState;
  /** Adds the entries that exist on macOS only. */
  readonly isMac: boolean;
}

/** The state that the application's menu depends on. */
export interface MenuState {
  readonly isSignedIn: boolean;
  readonly canReconnect: boolean;
}

/** Selects the menu's state. */
export const menuState = ({ account, connection }: DesktopSource): MenuState => ({
  isSignedIn: account.id !== null,
  canReconnect: account.id !== null && connection.closedBecause !== null,
});

/** Returns the application's menu. Its accelerators also work where the menu is not shown: the windows have no frame. */
export const menuTemplate = (options: MenuTemplateOptions): MenuItemConstructorOptions[] => [
  { label: 'Parley', submenu: programMenu(options) },
  { label: 'File', submenu: fileMenu(options) },
  { role: 'editMenu', submenu: editMenu(options) },
  { label: 'View', submenu: VIEW },
  { role: 'windowMenu' },
  { role: 'help', submenu: [{ label: 'Copy diagnostics', click: options.commands.copyDiagnostics }] },
];

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

const MAC_ONLY: readonly MenuItemConstructorOptions[] = [
  { role: 'services' },
  SEPARATOR,
  { role: 'hide' },
  { role: 'hideOthers' },
  { role: 'unhide' },
  SEPARATOR,
];

const VIEW: MenuItemConstructorOptions[] = [
  { role: 'reload' },
  SEPARATOR,
  { role: 'resetZoom' },
  { role: 'zoomIn' },
  { role: 'zoomOut' },
  SEPARATOR,
  { role: 'togglefullscreen' },
];

/** Electron's own edit menu, with an entry to find a text. */
const editMenu = ({ commands, menu, isMac }: MenuTemplateOptions): MenuItemConstructorOptions[] => [
  { role: 'undo' },
  { role: 'redo' },
  SEPARATOR,
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  ...(isMac ? [{ role: 'pasteAndMatchStyle' } as const] : []),
  { role: 'delete' },
  { role: 'selectAll' },
  SEPARATOR,
  { label: 'Find…', accelerator: 'CommandOrControl+F', enabled: menu.isSignedIn, click: commands.find },
];

const programMenu = ({ commands, menu, isMac }: MenuTemplateOptions): MenuItemConstructorOptions[] => [
  { label: 'About Parley', click: commands.showAbout },
  { label: 'Settings…', accelerator: 'CommandOrControl+,', click: commands.showSettings },
  SEPARATOR,
  ...(isMac ? MAC_ONLY : []),
  { label: 'Delete my data…', click: commands.showDeleteData },
  { label: 'Log out', enabled: menu.isSignedIn, click: commands.signOut },
  { label: 'Quit Parley', accelerator: 'CommandOrControl+Q', click: commands.quit },
];

const fileMenu = ({ commands, menu }: MenuTemplateOptions): MenuItemConstructorOptions[] => [
  { label: 'New window', accelerator: 'CommandOrControl+N', click: commands.openWindow },
  SEPARATOR,
  { label: 'Export the conversation…', enabled: menu.isSignedIn, click: commands.showExport },
  { label: 'Print…', accelerator: 'CommandOrControl+P', enabled: menu.isSignedIn, click: commands.print },
  SEPARATOR,
  {
    label: 'Save this session',
    accelerator: 'CommandOrControl+S',
    enabled: menu.isSignedIn,
    click: commands.saveSession,
  },
  {
    label: 'Inspect this session',
    accelerator: 'CommandOrControl+I',
    enabled: menu.isSignedIn,
    click: commands.inspectSession,
  },
  {
    label: 'Reconnect',
    accelerator: 'CommandOrControl+Shift+R',
    enabled: menu.canReconnect,
    click: commands.reconnect,
  },
  SEPARATOR,
  { role: 'close' },
];
