import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopActs } from './desktopActs.ts';
import type { DesktopSource } from './trayState.ts';

interface Options {
  readonly acts: DesktopActs;
  readonly menu: MenuState;
  /** macOS has a menu of the program's own, with entries that only it knows. */
  readonly isMac: boolean;
}

/** What the application's menu depends on. */
export interface MenuState {
  readonly isSignedIn: boolean;
  readonly canReconnect: boolean;
}

/** What the application's menu shows of a state; it follows from the state alone. */
export const menuState = ({ account, connection }: DesktopSource): MenuState => ({
  isSignedIn: account.id !== null,
  canReconnect: account.id !== null && connection.closedBecause !== null,
});

/** The application's menu. Its accelerators work wherever it is not shown, too: the windows have no frame. */
export const menuTemplate = (options: Options): MenuItemConstructorOptions[] => [
  { label: 'Parley', submenu: programMenu(options) },
  { label: 'File', submenu: fileMenu(options) },
  { role: 'editMenu' },
  { label: 'View', submenu: VIEW },
  { role: 'windowMenu' },
  { role: 'help', submenu: [{ label: 'Copy diagnostics', click: options.acts.copyDiagnostics }] },
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

const programMenu = ({ acts, menu, isMac }: Options): MenuItemConstructorOptions[] => [
  { label: 'About Parley', click: acts.showAbout },
  { label: 'Settings…', accelerator: 'CommandOrControl+,', click: acts.showSettings },
  SEPARATOR,
  ...(isMac ? MAC_ONLY : []),
  { label: 'Delete my data…', click: acts.showDeleteData },
  { label: 'Log out', enabled: menu.isSignedIn, click: acts.signOut },
  { label: 'Quit Parley', accelerator: 'CommandOrControl+Q', click: acts.quit },
];

const fileMenu = ({ acts, menu }: Options): MenuItemConstructorOptions[] => [
  { label: 'New window', accelerator: 'CommandOrControl+N', click: acts.openWindow },
  SEPARATOR,
  {
    label: 'Save this session',
    accelerator: 'CommandOrControl+S',
    enabled: menu.isSignedIn,
    click: acts.saveSession,
  },
  {
    label: 'Inspect this session',
    accelerator: 'CommandOrControl+I',
    enabled: menu.isSignedIn,
    click: acts.inspectSession,
  },
  {
    label: 'Reconnect',
    accelerator: 'CommandOrControl+Shift+R',
    enabled: menu.canReconnect,
    click: acts.reconnect,
  },
  SEPARATOR,
  { role: 'close' },
];
