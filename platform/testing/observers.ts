import { EventEmitter, once } from 'node:events';
import pino from 'pino';
import { virtualClock } from '#shared/clock.ts';
import { applyUpdate } from '#shared/conversation/applyUpdate.ts';
import { emptyConversation, toSnapshot } from '#shared/conversation/conversation.ts';
import { decodeUpdate, type Update } from '#shared/protocol/update.ts';

/** Creates a virtual clock that reports its new timers. */
export function observedClock() {
  const clock = virtualClock();
  const events = new EventEmitter();
  const isDue = (at = clock.nextDue()) => at !== undefined && at === clock.nextDue();
  return {
    ...clock,
    after(ms: number, task: () => void) {
      const cancel = clock.after(ms, task);
      events.emit('timer');
      return cancel;
    },
    /** Resolves when the next timer is due at this time; without a time, when there is a timer. */
    async untilDue(at?: number) {
      while (!isDue(at)) await once(events, 'timer');
    },
  };
}

/** Folds the frames of a platform, as a client does. */
export function foldedFrames() {
  let folded = emptyConversation;
  const updates: Update[] = [];
  return {
    updates,
    take(frame: string | null) {
      const update = decodeUpdate(frame);
      if (update.kind === 'rejected') throw new Error(`the platform sent no update: ${update.where}`);
      updates.push(update);
      folded = applyUpdate(folded, update);
    },
    conversation: () => toSnapshot(folded),
  };
}

/** Creates a logger for all levels, whose lines have no time and no process. */
export function recordingLogger() {
  const lines: string[] = [];
  const events = new EventEmitter().setMaxListeners(0);
  const write = (line: string) => events.emit('line', lines.push(line));
  const logged = () => lines.join('');
  /** Resolves when the text contains these words. */
  const untilLogged = async (words: string) => {
    while (!logged().includes(words)) await once(events, 'line');
  };
  return { logger: pino({ level: 'trace', base: null, timestamp: false }, { write }), logged, untilLogged };
}
