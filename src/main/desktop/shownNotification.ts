import { clip } from '#shared/clip.ts';
import type { NotificationText } from '#shared/store/selectors.ts';

/** Maximum length in UTF-16 units. No desktop shows more; a text of many megabytes would block its service or the page. */
const LENGTH = 500;

/** Returns a notification with title and body clipped for the desktop. */
export const shownNotification = ({ title, body }: NotificationText): NotificationText => ({
  title: clip(title, LENGTH),
  body: clip(body, LENGTH),
});
