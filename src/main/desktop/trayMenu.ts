import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopCommands } from './desktopCommands.ts';
import type { TrayState } from './trayState.ts';

/** Returns the tray's menu: the state and the commands of a person. */
export const trayMenu = (
  { toolTip, isSignedIn }: TrayState,
  commands: DesktopCommands,
): MenuItemConstructorOptions[] => [
  { label: toolTip, enabled: false },
  { type: 'separator' },
  { label: 'Open Parley', click: commands.showWindow },
  { label: 'Save this session', enabled: isSignedIn, click: commands.saveSession },
  { label: 'Inspect this session', enabled: isSignedIn, click: commands.inspectSession },
  { label: 'Log out', enabled: isSignedIn, click: commands.signOut },
  { label: 'Quit', click: commands.quit },
];
