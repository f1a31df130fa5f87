import type { AudioState } from '#shared/store/audio.ts';
import type { ConnectionState } from '#shared/store/connection.ts';
import type { AttentionState } from '../store/attention.ts';

/** The part of main's state that shows on the desktop. */
export interface DesktopSource {
  readonly account: { readonly id: string | null };
  readonly connection: Pick<ConnectionState, 'status' | 'closedBecause'>;
  readonly audio: Pick<AudioState, 'isRecording' | 'playing'>;
  readonly attention: Pick<AttentionState, 'unread'>;
}

/** What the tray shows. */
export interface TrayState {
  readonly icon: 'connected' | 'disconnected' | 'unread' | 'recording';
  /** The tray's words, and the first line of its menu. */
  readonly toolTip: string;
  readonly isSignedIn: boolean;
}

/** What the tray shows of a state; it follows from the state alone. */
export const trayState = (state: DesktopSource): TrayState => ({
  icon: iconOf(state),
  toolTip: withUnread(`Parley: ${statusOf(state)}`, state),
  isSignedIn: state.account.id !== null,
});

/** A window's title. */
export const windowTitle = (state: DesktopSource): string => withUnread('Parley', state);

/** The number on the program's icon; 0 is none. */
export const badgeCount = ({ attention }: DesktopSource): number => attention.unread;

/** Whether two states look the same in the tray. */
export const isSameTray = (one: TrayState, other: TrayState): boolean =>
  one.icon === other.icon && one.toolTip === other.toolTip && one.isSignedIn === other.isSignedIn;

const withUnread = (words: string, { attention: { unread } }: DesktopSource) =>
  unread === 0 ? words : `(${unread}) ${words}`;

/** What matters most: that somebody is heard, then that they hear, then whether the platform answers. */
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
