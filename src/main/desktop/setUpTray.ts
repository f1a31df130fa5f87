import { Menu, Tray, type MenuItemConstructorOptions, type NativeImage, nativeImage } from 'electron';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { AudioState, ConnectionState } from '#shared/store/sharedSlices.ts';
import { type AttentionState, withUnread } from '#shared/store/openWindows.ts';
import type { Listeners, MainStore } from '../store/mainStore.ts';
import connected from './assets/connected.png?inline';
import connectedTemplate from './assets/connectedTemplate.png?inline';
import disconnected from './assets/disconnected.png?inline';
import disconnectedTemplate from './assets/disconnectedTemplate.png?inline';
import recording from './assets/recording.png?inline';
import recordingTemplate from './assets/recordingTemplate.png?inline';
import unread from './assets/unread.png?inline';
import unreadTemplate from './assets/unreadTemplate.png?inline';
import type { DesktopCommands } from './desktopCommands.ts';

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

/** The part of main's state that shows on the desktop. */
export interface DesktopSource {
  readonly account: { readonly id: string | null };
  readonly connection: Pick<ConnectionState, 'status' | 'closedBecause'>;
  readonly audio: Pick<AudioState, 'isRecording' | 'playing'>;
  readonly attention: Pick<AttentionState, 'unread'>;
}

/** The state that the tray shows. */
interface TrayState {
  readonly icon: 'connected' | 'disconnected' | 'unread' | 'recording';
  /** The tool tip, and the first line of the menu. */
  readonly toolTip: string;
  readonly isSignedIn: boolean;
}

/** Selects the tray's state. */
export const trayState = (state: DesktopSource): TrayState => ({
  icon: iconOf(state),
  toolTip: withUnread(`Parley: ${statusOf(state)}`, state.attention),
  isSignedIn: state.account.id !== null,
});

/** Returns whether two states look the same in the tray. */
const isSameTray = (one: TrayState, other: TrayState): boolean =>
  one.icon === other.icon && one.toolTip === other.toolTip && one.isSignedIn === other.isSignedIn;

/** Returns the most important status: recording, then playing, then the connection. */
function statusOf({ account, audio, connection }: DesktopSource): string {
  if (account.id === null) return 'signed out';
  if (audio.isRecording) return 'recording';
  if (audio.playing !== null) return 'playing';
  return connection.status;
}

function iconOf({ account, audio, attention, connection }: DesktopSource): TrayState['icon'] {
  if (account.id === null) return 'disconnected';
  if (audio.isRecording) return 'recording';
  return attention.unread > 0 ? 'unread' : connection.status;
}

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

const COLOURED = { connected, disconnected, unread, recording };

const TEMPLATES = {
  connected: connectedTemplate,
  disconnected: disconnectedTemplate,
  unread: unreadTemplate,
  recording: recordingTemplate,
};

/** Returns the tray's icon. On macOS it is a template image, 16 points high, which the menu bar colours. */
function trayIcon(icon: TrayState['icon'], platform = process.platform): NativeImage {
  if (platform !== 'darwin') return nativeImage.createFromDataURL(COLOURED[icon]);
  const png = Buffer.from(TEMPLATES[icon].replace(/^[^,]*,/, ''), 'base64');
  const template = nativeImage.createFromBuffer(png, { scaleFactor: 2 });
  template.setTemplateImage(true);
  return template;
}

/** Asks the session bus whether the desktop shows tray icons: Electron shows them as status notifiers. */
const QUESTION = [
  ['call', '--session', '--timeout', '1'],
  ['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'],
  ['--method', 'org.freedesktop.DBus.NameHasOwner', 'org.kde.StatusNotifierWatcher'],
].flat();

const run = promisify(execFile);
const askBus = async (): Promise<string> => (await run('gdbus', QUESTION, { timeout: 2000 })).stdout;

/**
 * Returns whether the desktop has a tray. Without one, a hidden window could be shown again only by another start of the program. Windows,
 * macOS and the web host always have one; a Linux desktop that does not answer has none.
 * @param os Node's `process.platform`, or `web` for the web host.
 */
export async function hasTray(os: string, ask = askBus): Promise<boolean> {
  if (os !== 'linux') return true;
  try {
    return (await ask()).includes('true');
  } catch {
    return false;
  }
}
