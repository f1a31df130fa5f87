import { BrowserWindow, nativeImage } from 'electron';
import appIcon from '../../assets/icons/256.png?inline';
import { INSPECTOR_PAGE } from '../window/pages.ts';
import { excludeWindow } from '../window/messengerWindows.ts';
import { WEB_PREFERENCES } from '../window/webPreferences.ts';

/** Opens the inspector's window: as locked down as the messenger's, and excluded from the messenger. */
export function openInspectorWindow(): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Inspector',
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 500,
    show: false,
    icon: nativeImage.createFromDataURL(appIcon),
    webPreferences: WEB_PREFERENCES,
  });
  excludeWindow(window);
  // A new window gets the messenger's title by default.
  window.setTitle('Inspector');
  window.once('ready-to-show', () => window.show());
  void window.loadURL(INSPECTOR_PAGE);
  return window;
}
