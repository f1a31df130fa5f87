import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopActs } from './desktopActs.ts';
import type { TrayState } from './trayState.ts';

/** Returns the tray's menu: the state and the acts of a person. */
export const trayMenu = (
  { toolTip, isSignedIn }: TrayState,
  acts: DesktopActs,
): MenuItemConstructorOptions[] => [
  { label: toolTip, enabled: false },
  { type: 'separator' },
  { label: 'Open Parley', click: acts.showWindow },
  { label: 'Save this session', enabled: isSignedIn, click: acts.saveSession },
  { label: 'Inspect this session', enabled: isSignedIn, click: acts.inspectSession },
  { label: 'Log out', enabled: isSignedIn, click: acts.signOut },
  { label: 'Quit', click: acts.quit },
];
