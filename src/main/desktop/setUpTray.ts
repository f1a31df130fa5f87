import { Menu, Tray } from 'electron';
import type { DesktopCommands } from './desktopCommands.ts';
import { trayIcon } from './trayIcon.ts';
import { trayMenu } from './trayMenu.ts';
import { isSameTray, trayState } from './trayState.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly commands: DesktopCommands;
}

/** Sets up the icon in the system's tray. It shows the state and brings a hidden window back. */
export function setUpTray({ store, listeners, commands }: Options): void {
  const shown = () => trayState(store.getState());
  const tray = new Tray(trayIcon(shown().icon));
  const show = () => {
    const state = shown();
    tray.setImage(trayIcon(state.icon));
    tray.setToolTip(state.toolTip);
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, commands)));
  };
  tray.on('click', commands.showWindow);
  listeners.startListening({
    predicate: (_, now, before) => !isSameTray(trayState(now), trayState(before)),
    effect: show,
  });
  show();
}
