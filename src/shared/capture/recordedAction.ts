import type { UnknownAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import { ACTIONS, isWindowStateAction } from '../actions/actionTable.ts';
import { messageDropped, messageSent } from '../actions/mainActions.ts';
import { NO_WINDOW, ofWindow } from '../window/windows.ts';
import type { ActionRecord } from './format.ts';
import { withLaterSlices } from './withLaterSlices.ts';

/**
 * Returns the action of a record as the store reduces it; `undefined` when it is not in the table of recorded actions, when its payload does not
 * fit its type, or when a frame says the same. The payload of an action on which no slice depends is not checked.
 */
export function recordedAction({ action, window = NO_WINDOW }: ActionRecord): UnknownAction | undefined {
  const { type } = action;
  const entry = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
  // A sent message follows from its frame.
  if (entry === undefined || entry.recorded === null || type === messageSent.type) return undefined;
  const payload = withLaterSlices(action);
  const isOwn = isWindowStateAction(action);
  // The counts do not depend on the payload of a dropped message, which a capture may lack.
  const hasPayload = !(entry.payload instanceof z.ZodUndefined) && type !== messageDropped.type;
  const isReduced = isOwn || (entry.changes.length > 0 && hasPayload);
  if (isReduced && !entry.payload.safeParse(payload).success) return undefined;
  return isOwn ? ofWindow({ type, payload }, window) : { type, payload };
}
