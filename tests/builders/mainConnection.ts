import { expect, onTestFinished } from 'vitest';
import { type Connection, connect } from '#main/session/connection.ts';
import type { Close } from '#shared/store/connection.ts';
import { type VirtualClock, virtualClock } from '#shared/time/virtualClock.ts';
import { platformForTest } from './mainPlatform.ts';
import type { ScriptedPlatform } from './platform.ts';
import { type Inbox, platformInbox } from './platformInbox.ts';
import type { PlatformSocket } from './platformSocket.ts';

/** An event of a connection. */
export type Told =
  | 'opened'
  | 'confirmed'
  | 'tooLarge'
  | { readonly closed: Close }
  | { readonly frame: string | null };

export interface Connected {
  readonly clock: VirtualClock;
  readonly connection: Connection;
  /** The connection's events, in order. */
  readonly told: Inbox<Told>;
}

/** Connects to the platform; `onTold` receives each event at once. */
export function connectTo({ platformUrl }: ScriptedPlatform, onTold?: (told: Told) => void): Connected {
  const clock = virtualClock();
  const told = platformInbox<Told>();
  const tell = (what: Told) => {
    told.push(what);
    onTold?.(what);
  };
  const connection = connect({
    url: `${platformUrl}/account-1`,
    clock,
    events: {
      opened: () => tell('opened'),
      confirmed: () => tell('confirmed'),
      closed: ({ code, reason }) => tell({ closed: { code, reason } }),
      frame: (text) => tell({ frame: text }),
      tooLarge: () => tell('tooLarge'),
    },
  });
  onTestFinished(() => connection.end(1000, ''));
  return { clock, connection, told };
}

export interface Opened extends Connected {
  readonly platform: ScriptedPlatform;
  readonly socket: PlatformSocket;
}

interface OpenOptions {
  readonly answersPings?: boolean;
  readonly onTold?: (told: Told) => void;
}

/** Opens a connection to a platform that answers no pings unless `answersPings` is set. */
export async function openConnection({ answersPings = false, onTold }: OpenOptions = {}): Promise<Opened> {
  const platform = await platformForTest();
  platform.answerPings(answersPings);
  const connected = connectTo(platform, onTold);
  const socket = await platform.sockets.next();
  expect(await connected.told.next()).toBe('opened');
  return { ...connected, platform, socket };
}

/** A close without a close frame: a lost or refused connection. */
export const LOST: Told = { closed: { code: 1006, reason: '' } };

/** Returns the frames among the events. */
export const framesIn = ({ all }: Inbox<Told>) =>
  all.filter((told) => typeof told === 'object' && 'frame' in told);
