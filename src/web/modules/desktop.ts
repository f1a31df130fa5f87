import type * as Electron from 'electron';
import { onlyWhatIs } from './electronEmitter.ts';

/** The small modules of Electron that a browser stands in for, or has no place for. */

type Template = readonly (Electron.MenuItemConstructorOptions | Electron.MenuItem)[];

/** Electron's `Menu`: kept, and shown nowhere. */
export function createMenu() {
  let applicationMenu: object | null = null;
  return onlyWhatIs('Menu', {
    buildFromTemplate: (template: Template) => onlyWhatIs('Menu', { items: template }),
    setApplicationMenu: (menu: object | null) => {
      applicationMenu = menu;
    },
    getApplicationMenu: () => applicationMenu,
  } satisfies Partial<Record<keyof typeof Electron.Menu, unknown>>);
}

/** Electron's `screen`: there is no display on which main could place a window, for that is the browser's. */
export const screen = onlyWhatIs('screen', {
  getAllDisplays: () => [],
} satisfies Partial<Electron.Screen>);

/** Electron's `shell`. @param openUrl opens an address with the person's own programs. */
export function createShell(openUrl: (url: string) => Promise<void>) {
  return onlyWhatIs('shell', { openExternal: openUrl } satisfies Partial<Electron.Shell>);
}

/** Electron's `safeStorage`: there is no keyring to be had, and it says so. */
export const safeStorage = onlyWhatIs('safeStorage', {
  isEncryptionAvailable: () => false,
} satisfies Partial<Electron.SafeStorage>);
