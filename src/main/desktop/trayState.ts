import type { AudioState } from '#shared/store/audio.ts';
import type { ConnectionState } from '#shared/store/connection.ts';
import { type AttentionState, withUnread } from '#shared/window/attention.ts';

/** The part of main's state that shows on the desktop. */
export interface DesktopSource {
  readonly account: { readonly id: string | null };
  readonly connection: Pick<ConnectionState, 'status' | 'closedBecause'>;
  readonly audio: Pick<AudioState, 'isRecording' | 'playing'>;
  readonly attention: Pick<AttentionState, 'unread'>;
}

/** The state that the tray shows. */
export interface TrayState {
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
export const isSameTray = (one: TrayState, other: TrayState): boolean =>
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
