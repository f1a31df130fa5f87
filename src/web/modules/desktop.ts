import type * as Electron from 'electron';
import { throwOnMissing } from './electronEmitter.ts';

/** Small modules of Electron that a browser replaces or cannot provide. */

type Template = readonly (Electron.MenuItemConstructorOptions | Electron.MenuItem)[];

/** Creates Electron's `Menu`: it is stored and never shown. */
export function createMenu() {
  let applicationMenu: object | null = null;
  return throwOnMissing('Menu', {
    buildFromTemplate: (template: Template) => throwOnMissing('Menu', { items: template }),
    setApplicationMenu: (menu: object | null) => {
      applicationMenu = menu;
    },
    getApplicationMenu: () => applicationMenu,
  } satisfies Partial<Record<keyof typeof Electron.Menu, unknown>>);
}

/** Electron's `screen`: it has no displays, because the browser places its windows. */
export const screen = throwOnMissing('screen', {
  getAllDisplays: () => [],
} satisfies Partial<Electron.Screen>);

/**
 * Creates Electron's `shell`.
 * @param openUrl opens an address in the system's own program.
 */
export function createShell(openUrl: (url: string) => Promise<void>) {
  return throwOnMissing('shell', { openExternal: openUrl } satisfies Partial<Electron.Shell>);
}

/** Electron's `safeStorage`: no keyring is available. */
export const safeStorage = throwOnMissing('safeStorage', {
  isAsyncEncryptionAvailable: async () => false,
} satisfies Partial<Electron.SafeStorage>);
