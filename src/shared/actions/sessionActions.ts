/** Main's actions of a session: what the platform and the queue do. The frames of a capture say most of them. */
import { createAction } from '@reduxjs/toolkit';
import { z } from 'zod';
import type { RejectReason, Update } from '../protocol/update.ts';
import type { Word } from '../conversation/conversation.ts';
import { LOCAL } from '../isOfType.ts';
import {
  defined,
  forwarded,
  recordedAndForwarded,
  recordedLaterAndForwarded,
  unrecorded,
} from './defineAction.ts';

const SESSION_SLICES = [
  'connection',
  'wasConnected',
  'timesOfDay',
  'conversation',
  'arrivals',
  'appliedUpdates',
  'backlog',
  'queue',
  'counts',
  'conversationStart',
  'snapshotFields',
  'words',
  'attention',
];

interface Launch {
  readonly launchedAt: number;
  /** The time of day, in milliseconds since 1970 (UTC). A replay has none. */
  readonly timeOfDay?: number;
}

/**
 * A session was launched at `launchedAt` (a time of the store's clock): ticks follow every 100 ms (spec §3.1). Resets conversation,
 * connection, counts and queue.
 */
export const sessionLaunched = forwarded(
  'session/launched',
  'session. A capture contains its launch otherwise',
  { payload: z.custom<Launch>().describe('launchedAt, timeOfDay'), changes: [...SESSION_SLICES, 'notices'] },
);

/** The session has ended: the queue stops, and the conversation and the counts are dropped (spec §3.1). */
export const sessionEnded = recordedAndForwarded('session/ended', 'session; a log out without one', {
  changes: [...SESSION_SLICES, 'windows'],
});

/** The socket is open; the platform has not answered a ping yet. */
export const connectionOpened = forwarded('connection/opened', 'session. Recorded as `open`');
/** A pong was received: the platform answers. */
export const connectionConfirmed = recordedAndForwarded('connection/confirmed', 'session: the first pong', {
  changes: ['connection', 'wasConnected'],
});

/** How a socket ended. */
export interface Close {
  readonly code: number;
  readonly reason: string;
}

/** The close of a connection, and when the next attempt begins, as in `ConnectionState`. */
interface ClosePayload extends Close {
  readonly retryAt?: number | undefined;
}

/** The socket closed, or could not be opened. */
export const connectionClosed = forwarded('connection/closed', 'session. Recorded as `close`', {
  payload: z.custom<ClosePayload>().describe('code, reason, retryAt'),
  changes: ['connection'],
});

/** An update that waits in the queue, or has left it. */
interface QueuedUpdate {
  readonly update: Update;
  /** The size of its frame. */
  readonly bytes: number;
}

/** An update that arrived. */
export interface ReceivedUpdate extends QueuedUpdate {
  /** When its frame was received, in milliseconds since the session's launch. */
  readonly at: number;
}

/** An update that a tick released. */
export interface ReleasedUpdate extends QueuedUpdate {
  /** The tick that released it, in milliseconds since the session's launch. A late timer uses the latest tick that has passed. */
  readonly tick: number;
  /** Set for a snapshot: how many of its first messages the conversation contained before. */
  readonly known?: number;
}

/** A frame was received and is an update. The queue stores it until its tick. */
export const updateReceived = unrecorded('update/received', 'session. Recorded as `recv`', {
  payload: z.custom<ReceivedUpdate>().describe('update, at, bytes'),
  changes: ['queue', 'counts'],
});

/** A tick released an update into the conversation. A notification does not change the conversation and stays in main. */
export const updateApplied = defined(
  createAction('update/applied', (released: ReleasedUpdate) => ({
    payload: released,
    meta: released.update.kind === 'notification' ? LOCAL : {},
  })),
  {
    by: 'queue, at a tick. Follows from the frames. A notification stays in main',
    payload: z.custom<ReleasedUpdate>().describe('update, bytes, tick; known of a snapshot'),
    changes: [
      'conversation',
      'arrivals',
      'appliedUpdates',
      'queue',
      'counts',
      'conversationStart',
      'snapshotFields',
      'words',
      'attention',
    ],
    isForwarded: true,
    recorded: null,
  },
);

interface AppliedSnapshot {
  readonly person: string;
  readonly newest: string;
  readonly tick: number;
  readonly known: number;
  readonly words: readonly Word[];
}

/**
 * Sent to windows in place of an applied snapshot: the person's name, a part with the newest messages (JSON of a `ConversationPart`), its tick,
 * how many of its first messages were known before, and its words. The windows fetch the other parts.
 */
export const snapshotApplied = forwarded(
  'update/snapshotApplied',
  'main sends it to windows in place of an applied snapshot',
  {
    payload: z.custom<AppliedSnapshot>().describe('person, newest, tick, known, words'),
    changes: ['conversationStart'],
  },
);

/** A tick released an update without a target (contract §5). */
export const updateIgnored = unrecorded('update/ignored', 'queue, at a tick: the update has no target', {
  payload: z.custom<ReleasedUpdate>().describe('update, bytes, tick'),
  changes: ['queue', 'counts'],
});

interface RejectedFrame {
  readonly reason: RejectReason;
  readonly bytes: number;
}

/** A frame was received that is not an update. It uses no tick and changes only the counts. */
export const frameRejected = unrecorded('frame/rejected', 'session. Recorded as `recv`', {
  payload: z.custom<RejectedFrame>().describe('reason, bytes'),
  changes: ['counts'],
});

/** The time of day at a moment of the session. */
export interface TimeOfDay {
  /** Milliseconds since the launch. */
  readonly sinceLaunch: number;
  /** Milliseconds since 1970 (UTC). */
  readonly timeOfDay: number;
}

/** The machine resumed from sleep: its monotonic clock, which counts the time since the launch, may have stood still. */
export const timeOfDayRead = forwarded('timesOfDay/read', 'session: the machine resumed from sleep', {
  payload: z.custom<TimeOfDay>().describe('sinceLaunch, timeOfDay'),
  changes: ['timesOfDay'],
});

/** When messages of a snapshot arrived in an earlier session, in milliseconds since the launch: negative. `null` where that is not known. */
export const arrivalsRecalled = recordedLaterAndForwarded(
  'arrivals/recalled',
  'main: a snapshot repeats messages of an earlier session',
  {
    payload: z.object({
      from: z.int().nonnegative().describe('the index of the first one'),
      arrivals: z.array(z.number().nullable()),
    }),
    changes: ['arrivals'],
  },
);

/** The number of waiting updates changed by more than the windows know. */
export const backlogReported = recordedLaterAndForwarded(
  'backlog/reported',
  'main, once a second while it changes',
  { payload: z.object({ updates: z.int().nonnegative() }), changes: ['backlog'] },
);

/** Carries the number of the last forwarded action, so that a window notices when it missed that action. */
export const heartbeat = forwarded('sync/heartbeat', 'main, each 2 s', {
  payload: z.custom<number>().describe('the number of the last forwarded action'),
});
