import { stackOf } from '../../../adapter/stackOf.ts';

/** Creates a guard of the functions of an app. An exception of a guarded function has a result, and `takeFailure` returns its stack, once. */
export function guardOf(app: object) {
  let thrown: string | undefined;
  return {
    /** Guards a function. @param onError returns the result when it throws, from the stack and the arguments. */
    guard:
      <Args extends unknown[], Result>(
        run: (...args: Args) => Result,
        onError: (stack: string, args: Args) => Result,
      ) =>
      (...args: Args): Result => {
        try {
          return run.apply(app, args);
        } catch (error) {
          thrown = stackOf(error);
          return onError(thrown, args);
        }
      },
    takeFailure() {
      const stack = thrown;
      thrown = undefined;
      return stack;
    },
  };
}

/** Returns why a frame whose decoding threw is rejected. */
export const decodeThrew = (stack: string): string => `decode threw ${stack.split('\n', 1).join('')}`;
