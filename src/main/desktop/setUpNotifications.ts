import { Notification } from 'electron';
import { notificationText, type NotificationText } from '#shared/store/selectors.ts';
import { updateApplied } from '#shared/store/updates.ts';
import type { Listeners } from '../store/listeners.ts';
import { clip } from '#shared/clip.ts';

/** Maximum length in UTF-16 units. No desktop shows more; a text of many megabytes would block its service or the page. */
const LENGTH = 500;

/** Returns a notification with title and body clipped for the desktop. */
export const clipNotification = ({ title, body }: NotificationText): NotificationText => ({
  title: clip(title, LENGTH),
  body: clip(body, LENGTH),
});

/** Shows a desktop notification for row 7 of the platform's updates; a click on it shows the window (spec §6.1). */
export function setUpNotifications(listeners: Listeners, showWindow: () => void): void {
  listeners.startListening({
    matcher: updateApplied.match,
    effect({ payload }, { getState }) {
      if (payload.update.kind !== 'notification' || !Notification.isSupported()) return;
      const notification = new Notification(clipNotification(notificationText(getState().conversation)));
      notification.on('click', showWindow);
      notification.show();
    },
  });
}
