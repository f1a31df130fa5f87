import { vi } from 'vitest';
import type { DesktopActs } from '#main/desktop/desktopActs.ts';

const act = () => vi.fn<() => void>();

/** Creates a separate mock for each act of the tray and the menu. */
export const desktopActs = (): DesktopActs => ({
  showWindow: act(),
  openWindow: act(),
  saveSession: act(),
  inspectSession: act(),
  reconnect: act(),
  signOut: act(),
  showSettings: act(),
  showAbout: act(),
  showDeleteData: act(),
  showExport: act(),
  print: act(),
  find: act(),
  copyDiagnostics: act(),
  quit: act(),
});
