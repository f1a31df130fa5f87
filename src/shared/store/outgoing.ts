import { createAction } from '@reduxjs/toolkit';
import type { Outgoing } from '../protocol/outgoing.ts';
import { local } from './local.ts';

/** What of an outgoing message the log holds: the text itself is in the frame. */
interface OutgoingSummary {
  readonly category: Outgoing['category'];
}

/** A message went out on the open socket (spec §4.2). */
export const messageSent = createAction('message/sent', (summary: OutgoingSummary) => local(summary));

/** A message was not sent because the socket was not open; nothing is shown (spec §7). */
export const messageDropped = createAction('message/dropped', (summary: OutgoingSummary) => local(summary));
