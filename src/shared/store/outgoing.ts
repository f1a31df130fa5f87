import { createAction } from '@reduxjs/toolkit';
import type { Outgoing } from '../protocol/outgoing.ts';
import { local } from './local.ts';

/** The part of an outgoing message that is logged. The content is only in the frame. */
interface OutgoingSummary {
  readonly category: Outgoing['category'];
}

/** A message was sent on the open socket (spec §4.2). */
export const messageSent = createAction('message/sent', (summary: OutgoingSummary) => local(summary));

/** A message was not sent because the socket was not open; nothing is shown (spec §7). */
export const messageDropped = createAction('message/dropped', (summary: OutgoingSummary) => local(summary));
