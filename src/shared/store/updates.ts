import { createAction } from '@reduxjs/toolkit';
import type { RejectReason } from '../protocol/decodeUpdate.ts';
import type { Update } from '../protocol/update.ts';
import { local } from './local.ts';

/** An update and what its frame weighs, as the queue holds it. */
export interface QueuedUpdate {
  readonly update: Update;
  /** The frame's size. */
  readonly bytes: number;
}

export interface ReceivedUpdate extends QueuedUpdate {
  /** Milliseconds since the session's launch. */
  readonly at: number;
}

/** A frame came and is an update; the queue holds it until its tick. */
export const updateReceived = createAction('update/received', (received: ReceivedUpdate) => local(received));

/** A tick released an update into the conversation. A notification changes nothing there and stays in main. */
export const updateApplied = createAction('update/applied', (released: QueuedUpdate) =>
  released.update.kind === 'notification' ? local(released) : { payload: released, meta: {} },
);

/** A tick released an update that found nothing to be about (contract §5). */
export const updateIgnored = createAction('update/ignored', (released: QueuedUpdate) => local(released));

/** A frame came that is no update. It takes no tick and changes nothing but the counts. */
export const frameRejected = createAction(
  'frame/rejected',
  (rejected: { readonly reason: RejectReason; readonly bytes: number }) => local(rejected),
);
