import { Notification } from 'electron';
import { notificationText } from '#shared/store/selectors.ts';
import { updateApplied } from '#shared/store/updates.ts';
import type { Listeners } from '../store/listeners.ts';
import { shownNotification } from './shownNotification.ts';

/** Shows a desktop notification for row 7 of the platform's updates; a click on it shows the window (spec §6.1). */
export function setUpNotifications(listeners: Listeners, showWindow: () => void): void {
  listeners.startListening({
    matcher: updateApplied.match,
    effect({ payload }, { getState }) {
      if (payload.update.kind !== 'notification' || !Notification.isSupported()) return;
      const notification = new Notification(shownNotification(notificationText(getState().conversation)));
      notification.on('click', showWindow);
      notification.show();
    },
  });
}
