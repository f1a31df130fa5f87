import type { Clock } from '../time/clock.ts';
import { queueMiddleware } from './queueMiddleware.ts';
import { sequenceMiddleware } from './sequence.ts';

/** What stands between an action and the reducers wherever a session runs; the numbering stays innermost. */
export const sessionMiddleware = (clock: Clock) => [queueMiddleware(clock), sequenceMiddleware] as const;

/**
 * Options for Redux Toolkit's own middleware: its checks walk the whole state with every action, which a long
 * conversation cannot afford.
 */
export const DEFAULT_MIDDLEWARE = { immutableCheck: false, serializableCheck: false } as const;
