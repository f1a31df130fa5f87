import type { NotificationText } from '#shared/store/selectors.ts';

/** No desktop shows more, in UTF-16 units; a text of many megabytes would stop its service or the page. */
const LENGTH = 500;

/** A notification as a desktop receives it: title and body are clipped. */
export const shownNotification = ({ title, body }: NotificationText): NotificationText => ({
  title: clipped(title),
  body: clipped(body),
});

const clipped = (text: string) =>
  text.length <= LENGTH ? text : `${text.slice(0, LENGTH).replace(/[\uD800-\uDBFF]$/u, '')}…`;
