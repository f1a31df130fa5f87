import { Menu } from 'electron';
import type { DesktopCommands } from './desktopCommands.ts';
import { menuState, menuTemplate } from './menuTemplate.ts';
import type { Listeners } from '../store/listeners.ts';
import type { MainStore } from '../store/mainStore.ts';

interface Options {
  readonly store: MainStore;
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
