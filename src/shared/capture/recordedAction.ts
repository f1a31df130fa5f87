import type { UnknownAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import { isRecorded } from '../actions/actionList.ts';
import type { ActionRecord } from './format.ts';
import { playbackStarted } from '../store/audio.ts';
import { backlogReported } from '../store/backlog.ts';
import { messageSent } from '../store/outgoing.ts';
import { preferencesSchema } from '../ipc/preferencesSchema.ts';
import { preferencesChanged, preferencesLoaded } from '../store/preferences.ts';
import { OWN_ACTIONS } from '../window/ownActions.ts';
import { withLaterSlices } from './withLaterSlices.ts';
import {
  NO_WINDOW,
  ofWindow,
  windowBlurred,
  windowClosed,
  windowFocused,
  windowHidden,
  windowMinimized,
  windowOpened,
  windowRestored,
  windowShown,
} from '../window/windows.ts';

const index = z.int().nonnegative();
const ofNumber = z.object({ number: index });

/** The payloads on which the reducers of main's actions depend. Every other action of main is reduced without its payload. */
const PAYLOADS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  [preferencesLoaded.type, z.object({ stored: preferencesSchema, environment: preferencesSchema })],
  [preferencesChanged.type, preferencesSchema],
  [backlogReported.type, z.object({ updates: index })],
  [playbackStarted.type, z.object({ id: z.string(), message: index, item: index })],
  ...[
    windowOpened,
    windowShown,
    windowHidden,
    windowFocused,
    windowBlurred,
    windowMinimized,
    windowRestored,
    windowClosed,
  ].map(({ type }) => [type, ofNumber] as const),
]);

/**
 * Returns the action of a record as the store reduces it; `undefined` when it is not on the list of recorded actions, when its payload does not
 * fit its type, or when a frame says the same.
 */
export function recordedAction({ action, window = NO_WINDOW }: ActionRecord): UnknownAction | undefined {
  const { type } = action;
  const payload = withLaterSlices(action);
  const own = OWN_ACTIONS.get(type);
  if (own !== undefined)
    return own.safeParse(payload).success ? ofWindow({ type, payload }, window) : undefined;
  // A sent message follows from its frame.
  if (!isRecorded(type) || type === messageSent.type) return undefined;
  return PAYLOADS.get(type)?.safeParse(payload).success === false ? undefined : { type, payload };
}
