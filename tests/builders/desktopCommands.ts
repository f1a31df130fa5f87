import { vi } from 'vitest';
import type { DesktopCommands } from '#main/desktop/desktopCommands.ts';

const act = () => vi.fn<() => void>();

/** Creates a separate mock for each act of the tray and the menu. */
export const desktopCommands = (): DesktopCommands => ({
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
