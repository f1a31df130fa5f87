import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import { signedOut } from '#shared/actions/mainActions.ts';
import { arrivalsRecalled, sessionEnded, updateApplied } from '#shared/actions/sessionActions.ts';
import type { Clock } from '#shared/clock.ts';
import { timeOf } from '#shared/conversation/notice.ts';
import { itemAt } from '#shared/conversation/vector.ts';
import { errorCode } from '#shared/formatText.ts';
import { ARRIVALS_WRITE_MS, KEPT_ARRIVALS, KEPT_ID_LENGTH } from '#shared/limits.ts';
import { timeOfDayAt } from '#shared/store/sharedSlices.ts';
import { jsonFile } from '../base/jsonFile.ts';
import type { Listeners, MainState, MainStore } from './mainStore.ts';

interface Options {
  readonly store: MainStore;
  readonly listeners: Listeners;
  readonly dataDir: string;
  /** The platform in use; the file of another one is ignored. */
  readonly platform: string;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Logger;
}

/** An id of a message, and when the message arrived, in milliseconds since 1970 (UTC). */
type IdAndTime = [id: string, time: number];

const schema = z.object({
  platform: z.string(),
  arrivals: z.array(z.tuple([z.string(), z.number()])).readonly(),
});

/**
 * Keeps the arrivals of messages to which the platform gives no time over a restart: their ids and times, and nothing else, of the newest `KEPT_ARRIVALS`
 * messages. The file is written once a minute at most, and at the end of a session; it is deleted at the sign-out. A crash loses at most a minute.
 *
 *     read ── an update ──▶ changed ── a minute later, or the end of the session: written ──▶ read
 *                              └────── sign-out: deleted ──▶ read
 */
export function keepArrivals({ store, listeners, dataDir, platform, clock, log }: Options): void {
  const path = join(dataDir, 'arrivals.json');
  const file = jsonFile({ path, schema, log });
  const stored = file.read();
  let kept: ReadonlyMap<string, number> = new Map(stored?.platform === platform ? stored.arrivals : []);
  let cancelWrite: (() => void) | undefined;

  const write = (state: Pick<MainState, 'conversation' | 'arrivals' | 'timesOfDay'>) => {
    cancelWrite?.();
    cancelWrite = undefined;
    const arrivals = arrivalTimes(state);
    if (arrivals.length === 0 && kept.size === 0) return;
    kept = new Map(arrivals);
    file.write({ platform, arrivals });
  };
  listeners.startListening({
    actionCreator: updateApplied,
    effect({ payload: { update } }) {
      if (update.kind === 'snapshot') recall(store, kept);
      else if (update.kind !== 'message') return;
      cancelWrite ??= clock.after(ARRIVALS_WRITE_MS, () => write(store.getState()));
    },
  });
  listeners.startListening({
    actionCreator: sessionEnded,
    effect(_, { getOriginalState }) {
      if (cancelWrite !== undefined) write(getOriginalState());
    },
  });
  listeners.startListening({
    actionCreator: signedOut,
    effect() {
      cancelWrite?.();
      cancelWrite = undefined;
      kept = new Map();
      remove(path, log);
    },
  });
}

function remove(path: string, log: Logger): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    log.error({ code: errorCode(error) }, 'arrivals.json could not be deleted');
  }
}

/** Returns the ids and arrivals of the newest messages whose arrival is known and to which the platform gives no time. */
function arrivalTimes({
  conversation: { messages },
  arrivals,
  timesOfDay,
}: Pick<MainState, 'conversation' | 'arrivals' | 'timesOfDay'>): readonly IdAndTime[] {
  const times: IdAndTime[] = [];
  for (let at = Math.max(0, messages.length - KEPT_ARRIVALS); at < messages.length; at++) {
    const message = itemAt(messages, at);
    const arrival = itemAt(arrivals, at) ?? null;
    const id = message?.id ?? '';
    if (message === undefined || arrival === null || id === '' || id.length > KEPT_ID_LENGTH) continue;
    const time = timeOf(message) === undefined ? timeOfDayAt(timesOfDay, arrival) : undefined;
    if (time !== undefined) times.push([id, Math.round(time)]);
  }
  return times;
}

/** Tells the state when messages of a snapshot arrived in an earlier session. */
function recall(store: MainStore, kept: ReadonlyMap<string, number>): void {
  const { conversation, arrivals, timesOfDay } = store.getState();
  const { messages } = conversation;
  const launch = timesOfDay[0];
  if (kept.size === 0 || launch === undefined) return;
  const from = Math.max(0, messages.length - KEPT_ARRIVALS);
  const recalled = Array.from({ length: messages.length - from }, (_, at) => {
    const message = itemAt(messages, from + at);
    if (message === undefined || itemAt(arrivals, from + at) !== null || timeOf(message) !== undefined)
      return null;
    const time = kept.get(message.id ?? '');
    return time === undefined ? null : time - launch.timeOfDay;
  });
  if (recalled.some((one) => one !== null)) store.dispatch(arrivalsRecalled({ from, arrivals: recalled }));
}
