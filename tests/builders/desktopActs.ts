import { vi } from 'vitest';
import type { DesktopActs } from '#main/desktop/desktopActs.ts';

const act = () => vi.fn<() => void>();

/** What can be done from the tray and the menu, each act told from the others. */
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
  copyDiagnostics: act(),
  quit: act(),
});
