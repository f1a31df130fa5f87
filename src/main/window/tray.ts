import { Menu, Tray, nativeImage } from 'electron';
import type { Listeners } from '../listeners.ts';
import type { MainStore } from '../store.ts';
import connectedIcon from './assets/connected.png?inline';
import disconnectedIcon from './assets/disconnected.png?inline';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly showWindow: () => void;
  readonly saveSession: () => void;
  readonly signOut: () => void;
  readonly quit: () => void;
}

type State = ReturnType<MainStore['getState']>;

/** What the tray says of a state. */
const toolTipOf = ({ account, connection }: State) => {
  if (account.id === null) return 'Parley: signed out';
  return connection.status === 'connected' ? 'Parley: connected' : 'Parley: disconnected';
};

const iconOf = ({ connection }: State) =>
  nativeImage.createFromDataURL(connection.status === 'connected' ? connectedIcon : disconnectedIcon);

/** The icon in the system's tray: it shows the connection, and is the way back to a closed window. */
export function setUpTray({ store, listeners, showWindow, saveSession, signOut, quit }: Options): void {
  const tray = new Tray(iconOf(store.getState()));
  const show = () => {
    const state = store.getState();
    tray.setImage(iconOf(state));
    tray.setToolTip(toolTipOf(state));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: toolTipOf(state), enabled: false },
        { type: 'separator' },
        { label: 'Open Parley', click: showWindow },
        { label: 'Save this session', enabled: state.account.id !== null, click: saveSession },
        { label: 'Log out', enabled: state.account.id !== null, click: signOut },
        { label: 'Quit', click: quit },
      ]),
    );
  };
  tray.on('click', showWindow);
  listeners.startListening({
    predicate: (_, now, before) =>
      now.connection.status !== before.connection.status || now.account.id !== before.account.id,
    effect: show,
  });
  show();
}
