import { clip } from '#shared/formatText.ts';
import { Notification } from 'electron';
import { notificationText, type NotificationText } from '#shared/conversation/applyUpdate.ts';
import { updateApplied } from '#shared/actions/sessionActions.ts';
import { showsNewestMessage } from '#shared/store/openWindows.ts';
import type { Listeners } from '../store/mainStore.ts';

/** Maximum length in UTF-16 units. No desktop shows more; a text of many megabytes would block its service or the page. */
const LENGTH = 500;

/** Returns a notification with title and body clipped for the desktop. */
export const clipNotification = ({ title, body }: NotificationText): NotificationText => ({
  title: clip(title, LENGTH),
  body: clip(body, LENGTH),
});

/** Maximum number of referenced notifications: a desktop does not report the end of each one. */
const REFERENCES = 100;

/** Returns whether a notification is only for a person who does not see the message that it is about (contract §3). */
const isUnlessSeen = (frame: object): boolean => 'unlessSeen' in frame && frame.unlessSeen === true;

/**
 * Shows a desktop notification for the platform's update of this kind; a click on it shows the window (spec §6.1).
 * A notification is referenced until its end: a collected object receives no click.
 */
export function setUpNotifications(listeners: Listeners, showWindow: () => void): void {
  const shown = new Set<Notification>();
  listeners.startListening({
    matcher: updateApplied.match,
    effect({ payload: { update } }, { getState }) {
      if (update.kind !== 'notification' || !Notification.isSupported()) return;
      const { conversation, windows } = getState();
      if (isUnlessSeen(update.frame) && Object.values(windows).some(showsNewestMessage)) return;
      const notification = new Notification(clipNotification(notificationText(conversation)));
      const forget = () => void shown.delete(notification);
      notification.on('click', showWindow);
      notification.on('click', forget);
      notification.on('close', forget);
      const [oldest] = shown;
      if (oldest !== undefined && shown.size === REFERENCES) shown.delete(oldest);
      shown.add(notification);
      notification.show();
    },
  });
}
