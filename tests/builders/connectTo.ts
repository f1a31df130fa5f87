import { expect, onTestFinished } from 'vitest';
import { type Connection, connect } from '#main/session/platformConnection.ts';
import type { Close } from '#shared/actions/sessionActions.ts';
import { type VirtualClock, virtualClock } from '#shared/clock.ts';
import { platformForTest } from './platformForTest.ts';
import type { ScriptedPlatform } from './startPlatform.ts';
import { type Inbox, platformInbox } from './platformInbox.ts';
import type { PlatformSocket } from './platformSocket.ts';

/** An event of a connection. */
type ConnectionEvent =
  | 'opened'
  | 'confirmed'
  | 'tooLarge'
  | { readonly closed: Close }
  | { readonly frame: string | null };

/** A connection, and its events. */
export interface Connected {
  readonly clock: VirtualClock;
  readonly connection: Connection;
  /** The connection's events, in order. */
  readonly events: Inbox<ConnectionEvent>;
}

/** Connects to the platform; `onEvent` receives each event at once. */
export function connectTo(
  { platformUrl }: ScriptedPlatform,
  onEvent?: (event: ConnectionEvent) => void,
): Connected {
  const clock = virtualClock();
  const events = platformInbox<ConnectionEvent>();
  const emit = (what: ConnectionEvent) => {
    events.push(what);
    onEvent?.(what);
  };
  const connection = connect({
    url: `${platformUrl}/account-1`,
    clock,
    events: {
      opened: () => emit('opened'),
      confirmed: () => emit('confirmed'),
      closed: ({ code, reason }) => emit({ closed: { code, reason } }),
      frame: (text) => emit({ frame: text }),
      tooLarge: () => emit('tooLarge'),
    },
  });
  onTestFinished(() => connection.end(1000, ''));
  return { clock, connection, events };
}

/** A connection that has opened, and the platform's end of it. */
export interface Opened extends Connected {
  readonly platform: ScriptedPlatform;
  readonly socket: PlatformSocket;
}

interface OpenOptions {
  readonly answersPings?: boolean;
  readonly onEvent?: (event: ConnectionEvent) => void;
}

/** Opens a connection to a platform that answers no pings unless `answersPings` is set. */
export async function openConnection({ answersPings = false, onEvent }: OpenOptions = {}): Promise<Opened> {
  const platform = await platformForTest();
  platform.answerPings(answersPings);
  const connected = connectTo(platform, onEvent);
  const socket = await platform.sockets.next();
  expect(await connected.events.next()).toBe('opened');
  return { ...connected, platform, socket };
}

/** A close without a close frame: a lost or refused connection. */
export const LOST: ConnectionEvent = { closed: { code: 1006, reason: '' } };

/** Returns the frames among the events. */
export const framesIn = ({ all }: Inbox<ConnectionEvent>) =>
  all.filter((event) => typeof event === 'object' && 'frame' in event);
