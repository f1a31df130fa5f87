import type { Message } from './conversation.ts';

/*
 * Fields of a message that the specification leaves open (contract §5 other fields). They are of any type: a value of another one counts as missing.
 */

/** What the button of a notice does: it opens the settings of the assistant (`settings`, `connect`), or sends a word. */
export const NOTICE_ACTIONS = ['settings', 'connect', 'again', 'continue', 'cancel'] as const;

/** One of {@link NOTICE_ACTIONS}. */
export type NoticeAction = (typeof NOTICE_ACTIONS)[number];

const isAction = (value: unknown): value is NoticeAction => NOTICE_ACTIONS.some((action) => action === value);

/** Returns whether a message is a notice of the platform, such as "A content filter ended the answer". */
export const isNotice = (message: Message): boolean =>
  message.modifier === 'admin' && 'notice' in message && message.notice === true;

/** Returns what the button of a notice does; `null` when the message is no notice or has no button. */
export const noticeAction = (message: Message): NoticeAction | null =>
  isNotice(message) && 'action' in message && isAction(message.action) ? message.action : null;

/** Returns whether a message is a line across the conversation: the assistant gets only what is after it. */
export const isDivider = (message: Message): boolean =>
  message.modifier === 'admin' && 'divider' in message && message.divider === true;

/** Returns whether a message replaces an earlier question: the assistant no longer gets that question and what followed it. */
export const replacesQuestion = (message: Message): boolean =>
  message.modifier === 'client' && 'replaces' in message && typeof message.replaces === 'string';

/** Matches an ISO time in UTC, as `Date` writes it. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/;

/** Returns when the platform received or wrote a message, in milliseconds since 1970 (UTC); `undefined` when it does not say so. */
export function timeOf(message: Message): number | undefined {
  if (!('time' in message) || typeof message.time !== 'string' || !ISO_TIME.test(message.time))
    return undefined;
  const time = Date.parse(message.time);
  return Number.isNaN(time) ? undefined : time;
}
