import { type NativeImage, nativeImage } from 'electron';
import type { TrayState } from './trayState.ts';
import connected from './assets/connected.png?inline';
import connectedTemplate from './assets/connectedTemplate.png?inline';
import disconnected from './assets/disconnected.png?inline';
import disconnectedTemplate from './assets/disconnectedTemplate.png?inline';
import recording from './assets/recording.png?inline';
import recordingTemplate from './assets/recordingTemplate.png?inline';
import unread from './assets/unread.png?inline';
import unreadTemplate from './assets/unreadTemplate.png?inline';

const COLOURED = { connected, disconnected, unread, recording };

const TEMPLATES = {
  connected: connectedTemplate,
  disconnected: disconnectedTemplate,
  unread: unreadTemplate,
  recording: recordingTemplate,
};

/** Returns the tray's icon. On macOS it is a template image, 16 points high, which the menu bar colours. */
export function trayIcon(icon: TrayState['icon'], platform = process.platform): NativeImage {
  if (platform !== 'darwin') return nativeImage.createFromDataURL(COLOURED[icon]);
  const png = Buffer.from(TEMPLATES[icon].replace(/^[^,]*,/, ''), 'base64');
  const template = nativeImage.createFromBuffer(png, { scaleFactor: 2 });
  template.setTemplateImage(true);
  return template;
}
