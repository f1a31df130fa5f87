import type { AppAdapter } from '../../../engine/appAdapter.ts';
import { stackOf } from '../../../adapter/stackOf.ts';
import { SessionError } from './sessionError.ts';

/** The kind of an update when the adapter's `kind` throws. */
const NO_KIND = 'unknown';

/**
 * Wraps an adapter so that its exceptions are results: a frame whose decoding throws is rejected, and a reducer that throws leaves the state
 * unchanged. `onThrown` receives each stack. When `tick` throws, the replay cannot continue.
 */
export function guardAdapter(
  adapter: AppAdapter,
  onThrown: (stack: string) => void = () => undefined,
): AppAdapter {
  const guarded = <T>(run: () => T, onError: (stack: string) => T): T => {
    try {
      return run();
    } catch (error) {
      const stack = stackOf(error);
      onThrown(stack);
      return onError(stack);
    }
  };
  const { tick, reduceAction } = adapter;
  return {
    ...adapter,
    decode: (data) =>
      guarded(
        () => adapter.decode(data),
        (stack) => ({ rejected: `decode threw ${firstLine(stack)}` }),
      ),
    kind: (update) =>
      guarded(
        () => adapter.kind(update),
        () => NO_KIND,
      ),
    reduce: (state, update) =>
      guarded(
        () => adapter.reduce(state, update),
        () => state,
      ),
    ...(reduceAction && {
      reduceAction: (state, action) =>
        guarded(
          () => adapter.reduceAction?.(state, action),
          () => state,
        ),
    }),
    ...(tick && {
      tick: (receivedAt, previous) =>
        guarded(
          () => tick.call(adapter, receivedAt, previous),
          (stack) => {
            throw new SessionError(`The adapter's tick threw ${stack}`);
          },
        ),
    }),
  };
}

/** Returns the first line of a text. */
export const firstLine = (text: string): string => text.split('\n', 1).join('');
