import type { Clock } from '#shared/clock.ts';
import { EndpointError, type EndpointErrorKind } from '../endpoint/endpoint.ts';

/** The options of `createRetries`. */
interface RetryOptions {
  readonly clock: Clock;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Shows why the answer waits and for how long: once a second. */
  readonly show: (wait: Wait) => void;
}

/** Why an answer waits, and the seconds that are left; 0 when it is requested again. */
export interface Wait {
  readonly kind: EndpointErrorKind;
  readonly leftS: number;
}

/**
 * Waits until a request can be sent again; returns whether it can.
 * @throws the signal's reason.
 */
export type RetryLater = (error: unknown) => Promise<boolean>;

/** The longest wait that a person is expected to sit through, in seconds. */
const LONGEST_S = 60;
/** How often an answer is requested again. A model is loaded in 10 minutes at most. */
const MOST = { loading: 120, other: 5 } as const;

/** Creates the retries of one answer: after a failure that passes within a minute, as the server says. */
export function createRetries({ clock, signal, show }: RetryOptions): RetryLater {
  let count = 0;
  return async (error) => {
    if (!(error instanceof EndpointError) || error.retryAfterS === undefined) return false;
    const { kind, retryAfterS } = error;
    if (retryAfterS > LONGEST_S || count >= (kind === 'loading' ? MOST.loading : MOST.other)) return false;
    count += 1;
    for (let leftS = Math.max(1, retryAfterS); leftS > 0; leftS--) {
      signal.throwIfAborted();
      show({ kind, leftS });
      await pauseOneSecond(clock, signal);
    }
    show({ kind, leftS: 0 });
    return true;
  };
}

const pauseOneSecond = (clock: Clock, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(1000, () => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
    signal.addEventListener('abort', abort);
  });
