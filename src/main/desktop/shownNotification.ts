import { clip } from '#shared/clip.ts';
import type { NotificationText } from '#shared/store/selectors.ts';

/** No desktop shows more, in UTF-16 units; a text of many megabytes would stop its service or the page. */
const LENGTH = 500;

/** A notification as a desktop receives it: title and body are clipped. */
export const shownNotification = ({ title, body }: NotificationText): NotificationText => ({
  title: clip(title, LENGTH),
  body: clip(body, LENGTH),
});
