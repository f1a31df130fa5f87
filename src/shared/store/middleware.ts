import type { Clock } from '../clock.ts';
import { queueMiddleware } from './queueMiddleware.ts';
import { sequenceMiddleware } from './sequence.ts';
import type { LateRelease } from './ticks.ts';

/** Returns the middleware of every store that runs a session. The sequence middleware must be innermost. */
export const sessionMiddleware = (clock: Clock, onLate?: (late: LateRelease) => void) =>
  [queueMiddleware(clock, onLate), sequenceMiddleware] as const;

/**
 * Options of Redux Toolkit's default middleware. Its checks are off: they walk the whole state at every action, which is too slow for a
 * long conversation.
 */
export const DEFAULT_MIDDLEWARE = { immutableCheck: false, serializableCheck: false } as const;
