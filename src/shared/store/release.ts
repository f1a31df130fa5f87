import { hasTarget } from '../conversation/applyUpdate.ts';
import { type Conversation, countKnownMessages } from '../conversation/conversation.ts';
import { oldest } from '../fifo.ts';
import type { CountsState } from './counts.ts';
import type { QueueState } from './queue.ts';
import { tickBefore, tickFor } from './ticks.ts';
import {
  type ReceivedUpdate,
  type ReleasedUpdate,
  updateApplied,
  updateIgnored,
} from '../actions/sessionActions.ts';

/** The slices on which a release depends. */
export interface QueuedState {
  readonly conversation: Conversation;
  readonly queue: QueueState;
  readonly counts: CountsState;
}

/** The oldest waiting update. */
interface NextRelease {
  readonly received: ReceivedUpdate;
  /** Its number in the session, from 1. */
  readonly update: number;
  /** Its tick, in milliseconds since the launch. */
  readonly due: number;
  readonly launchedAt: number;
}

/** What decides when an update is released, and as what. A comparison of revisions passes that of another revision. */
export const RELEASE_RULES = { tickFor, tickBefore, hasTarget, countKnownMessages };

/** See {@link RELEASE_RULES}. */
export type ReleaseRules = typeof RELEASE_RULES;

/** Returns the next release; `undefined` when no update waits. */
export function nextRelease({ queue, counts }: QueuedState, rules = RELEASE_RULES): NextRelease | undefined {
  const received = oldest(queue.waiting);
  if (received === undefined) return undefined;
  return {
    received,
    update: counts.applied + counts.ignored + 1,
    due: rules.tickFor(received.at, queue.lastTick),
    // Nothing waits before the launch.
    launchedAt: queue.launchedAt ?? 0,
  };
}

/** Returns the tick of a release at `t`, milliseconds since the launch; `undefined` before its tick. A late release has the latest tick that has passed. */
export const tickOfRelease = ({ due }: Pick<NextRelease, 'due'>, t: number, rules = RELEASE_RULES) =>
  t < due ? undefined : rules.tickBefore(t);

/** A waiting update and the tick that releases it. */
export interface Released {
  readonly received: ReceivedUpdate;
  readonly tick: number;
}

/** Returns the action that releases an update at a tick: as applied, or as ignored when it has no target (spec §4.4 item 4). */
export function releaseAction(
  { conversation }: Pick<QueuedState, 'conversation'>,
  { received: { update, bytes }, tick }: Released,
  rules = RELEASE_RULES,
) {
  const released: ReleasedUpdate =
    update.kind === 'snapshot'
      ? { update, bytes, tick, known: rules.countKnownMessages(conversation, update.frame) }
      : { update, bytes, tick };
  return rules.hasTarget(conversation, update) ? updateApplied(released) : updateIgnored(released);
}

/** Returns the action of an update that cannot be applied, because its reducer threw: it has no effect, leaves the queue and is counted. */
export const failedRelease = ({ received: { update, bytes }, tick }: Released) =>
  updateIgnored({ update, bytes, tick });
