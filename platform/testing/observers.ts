import { EventEmitter, once } from 'node:events';
import pino from 'pino';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';

/** A virtual clock that reports its new timers. */
interface ObservedClock extends VirtualClock {
  /** Resolves when the next timer is due at this time; without a time, when there is a timer. */
  untilDue(at?: number): Promise<void>;
}

/** Creates a virtual clock that reports its new timers. */
export function observedClock(): ObservedClock {
  const clock = virtualClock();
  const events = new EventEmitter();
  const isDue = (at = clock.nextDue()) => at !== undefined && at === clock.nextDue();
  return {
    ...clock,
    after(ms, task) {
      const cancel = clock.after(ms, task);
      events.emit('timer');
      return cancel;
    },
    async untilDue(at) {
      while (!isDue(at)) await once(events, 'timer');
    },
  };
}

/** Creates a logger for all levels. */
export function recordingLogger() {
  const lines: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  const write = (line: string) => events.emit('line', lines.push(line));
  const logged = () => lines.join('');
  /** Resolves when the text contains these words. */
  const untilLogged = async (words: string) => {
    while (!logged().includes(words)) await once(events, 'line');
  };
  return { logger: pino({ level: 'trace' }, { write }), logged, untilLogged };
}
