import type { RecordedAction } from './mask.ts';
import type { Handling } from './recordedSocket.ts';

/** A Redux middleware, by its structure. */
export type RecorderMiddleware = (
  api: unknown,
) => (next: (action: unknown) => unknown) => (action: unknown) => unknown;

/** Which actions are recorded. */
export interface ActionFilter {
  /** Returns whether an action is a user action: `({ type }) => type.startsWith('user/')`. */
  readonly record: (action: RecordedAction) => boolean;
}

interface Deps extends ActionFilter {
  readonly recordAction: (action: RecordedAction) => void;
  readonly handling: Handling;
}

/** Creates the middleware. Thunks and other actions that are not objects with a type pass through. */
export const recordingMiddleware =
  ({ record, recordAction, handling }: Deps): RecorderMiddleware =>
  () =>
  (next) =>
  (action) => {
    if (!isAction(action) || handling.isActive() || !isAccepted(record, action)) return next(action);
    recordAction(action);
    return handling.run(() => next(action));
  };

const isAction = (action: unknown): action is RecordedAction =>
  typeof action === 'object' && action !== null && 'type' in action && typeof action.type === 'string';

/** Returns what the filter says; `false` when it throws. */
function isAccepted(record: ActionFilter['record'], action: RecordedAction): boolean {
  try {
    return record(action);
  } catch {
    return false;
  }
}
