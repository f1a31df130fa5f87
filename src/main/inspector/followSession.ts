import type { Clock } from '#shared/clock.ts';
import type { Recorder } from '../capture/recorder.ts';
import { createBatches } from './batches.ts';

interface Options {
  readonly recorder: Pick<Recorder, 'follow'>;
  readonly clock: Clock;
  /** Receives whole lines of the capture, at most ten times per second. */
  readonly lines: (text: string) => void;
  /** Receives a sentence that says why the session cannot be followed any more; no call follows. */
  readonly ended: (text: string) => void;
}

/** Sends the current session, as a capture, until it ends. Returns a function that stops earlier. */
export function followSession({ recorder, clock, lines, ended }: Options): () => void {
  let isOn = true;
  const batches = createBatches(clock, (text) => {
    if (isOn) lines(text);
  });
  let hasBegun = false;
  const stop = recorder.follow({
    lines(text) {
      hasBegun = true;
      batches.add(text);
    },
    ended() {
      batches.flush();
      isOn = false;
      ended(hasBegun ? 'The session has ended.' : 'There is no session to inspect: log in first.');
    },
  });
  return () => {
    isOn = false;
    stop();
  };
}
