import type { Clock } from '#shared/time/clock.ts';
import type { Recorder } from '../capture/recorder.ts';
import { createBatches } from './batches.ts';

interface Options {
  readonly recorder: Pick<Recorder, 'follow'>;
  readonly clock: Clock;
  /** Takes whole lines of the capture, ten times a second at most. */
  readonly lines: (text: string) => void;
  /** Takes a sentence that says why nothing follows any more; nothing is told after it. */
  readonly ended: (words: string) => void;
}

/** Tells the session that is on, as a capture, until it ends. Gives what ends the telling earlier. */
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
