import { createAction } from '@reduxjs/toolkit';
import { isOfType } from '../isOfType.ts';
import type { RejectReason } from '../protocol/decodeUpdate.ts';
import type { Update } from '../protocol/update.ts';
import { local } from './local.ts';

/** An update that waits in the queue, or has left it. */
interface QueuedUpdate {
  readonly update: Update;
  /** The size of its frame. */
  readonly bytes: number;
}

/** An update that arrived. */
export interface ReceivedUpdate extends QueuedUpdate {
  /** When its frame was received, in milliseconds since the session's launch. */
  readonly at: number;
}

/** An update that a tick released. */
export interface ReleasedUpdate extends QueuedUpdate {
  /** The tick that released it, in milliseconds since the session's launch. A late timer uses the latest tick that has passed. */
  readonly tick: number;
  /** Set for a snapshot: how many of its first messages the conversation contained before. */
  readonly known?: number;
}

/** A frame was received and is an update. The queue stores it until its tick. */
export const updateReceived = createAction('update/received', (received: ReceivedUpdate) => local(received));

/** A tick released an update into the conversation. A notification does not change the conversation and stays in main. */
export const updateApplied = createAction('update/applied', (released: ReleasedUpdate) =>
  released.update.kind === 'notification' ? local(released) : { payload: released, meta: {} },
);

/** A tick released an update without a target (contract §5). */
export const updateIgnored = createAction('update/ignored', (released: ReleasedUpdate) => local(released));

/** A frame was received that is not an update. It uses no tick and changes only the counts. */
export const frameRejected = createAction(
  'frame/rejected',
  (rejected: { readonly reason: RejectReason; readonly bytes: number }) => local(rejected),
);

/** Returns whether an action is an update: received, or released. Most actions of a session are updates. */
export const isUpdate = (action: unknown): boolean =>
  isOfType(action, updateReceived) || isOfType(action, updateApplied) || isOfType(action, updateIgnored);
