import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Conversation } from '#shared/conversation/conversation.ts';
import type { Update } from '#shared/protocol/update.ts';
import type { ConnectionState } from '#shared/store/connection.ts';
import type { CountsState } from '#shared/store/counts.ts';
import type { QueueState } from '#shared/store/queue.ts';
import type { NotificationText } from '#shared/store/selectors.ts';

/** What became of one update at its tick. */
export interface Step {
  /** The update's number, from 1. */
  readonly number: number;
  /** When its frame was received and when its tick was, milliseconds since the launch. */
  readonly receivedAt: number;
  readonly tick: number;
  readonly update: Update;
  readonly effect: 'applied' | 'ignored';
  readonly before: Conversation;
  readonly after: Conversation;
  /** What the notification says that it raised. */
  readonly notification: NotificationText | undefined;
}

/** What a replay came to. */
export interface Replay {
  readonly conversation: Conversation;
  readonly connection: ConnectionState;
  readonly counts: CountsState;
  /** What still waited when a limit was reached or the session was over; bytes as the frames weighed on the wire. */
  readonly queue: QueueState;
  readonly notifications: readonly NotificationText[];
  /** The last tick that was used, 0 when none was. */
  readonly virtualMs: number;
}

/** Where a replay stops early. */
export interface Limits {
  /** Stops after so many updates. */
  readonly until?: number | undefined;
  /** Stops at this virtual time; what falls due at it is still seen. */
  readonly at?: number | undefined;
}

export interface EngineOptions extends Limits {
  /** Hears of each update at its tick. */
  readonly onStep?: ((step: Step) => void) | undefined;
}

/** A way to run a capture through the app's code; there are two, and they always agree. */
export interface Engine {
  /** Takes the next record; in order. `false` once a limit has been reached: what follows is not looked at. */
  take(record: CaptureRecord): boolean;
  /** Lets time go on until nothing waits, and gives the outcome. */
  finish(): Replay;
}

/** An engine whose virtual time somebody else may move, piece by piece. */
export interface TimedEngine extends Engine {
  /** Lets time go on to `time`, but releases `most` updates at most; `true` when more of them are due. */
  pass(time: number, most?: number): boolean;
  /** When the oldest update that waits falls due; `undefined` when none does, or none will be released any more. */
  nextTick(): number | undefined;
}
