import { UsageError } from '../base/errors.ts';
import type { CaptureResult } from '../verify/captureResult.ts';
import { type ResultRecord, recordOf } from '../verify/resultRecord.ts';
import type { CheckResult } from './runCheck.ts';

/** Checks captures one after the other with the same workers. */
interface OwnCheck {
  /**
   * Returns whether a capture fails with the same outcome and signature as the first one.
   * @throws {UsageError} when the first one cannot be used.
   */
  check(path: string): Promise<CheckResult>;
  /** Ends the workers. */
  end(): Promise<void>;
}

/** Creates a check that uses the results of `verify` or `compare`. */
export function ownCheck(
  resultsOf: (captures: AsyncIterable<string>) => AsyncGenerator<CaptureResult, void>,
): OwnCheck {
  const queue = createQueue();
  const results = resultsOf(queue.items);
  let wanted: ResultRecord | undefined;
  return {
    async check(path) {
      queue.add(path);
      const { value } = await results.next();
      // A signal ended the workers.
      if (value === undefined) return 'passes';
      const found = recordOf(value);
      if (wanted === undefined) {
        if (found.outcome === 'unusable') throw new UsageError(found.problem ?? found.outcome);
        wanted = found;
        return found.signature === undefined ? 'passes' : 'fails';
      }
      const isSame = found.outcome === wanted.outcome && found.signature === wanted.signature;
      return isSame ? 'fails' : 'passes';
    },
    async end() {
      queue.end();
      await results.return();
    },
  };
}

/** Passes captures to workers as they are added. */
function createQueue() {
  let isOver = false;
  let waiting: string[] = [];
  let wake: (() => void) | undefined;
  async function* items(): AsyncGenerator<string, void> {
    for (;;) {
      yield* waiting.splice(0);
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0 || isOver) resolve();
      });
    }
  }
  return {
    items: items(),
    add(path: string) {
      waiting = [...waiting, path];
      wake?.();
    },
    end() {
      isOver = true;
      wake?.();
    },
  };
}
