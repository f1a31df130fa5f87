import type { Logger } from 'pino';
import type { Clock } from '#shared/time/clock.ts';
import { type HostEnter, type OpenHostAccount, createHostEntry } from './hostEntry.ts';
import { HostSessions } from './hostSessions.ts';
import type { HostSettings } from './hostSettings.ts';
import { createHostauthClient } from './hostauthClient.ts';
import { lookUpHostUser } from './lookUpHostUser.ts';

/** The sign-in with the users of this machine: what the routes use. */
export interface HostEntrance {
  readonly enter: HostEnter;
  readonly sessions: HostSessions;
}

interface Options {
  readonly settings: HostSettings;
  readonly openAccount: OpenHostAccount;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the sign-in with the users of this machine. */
export function createHostEntrance({ settings, openAccount, clock, logger }: Options): HostEntrance {
  const client = createHostauthClient({ url: settings.url, clock, logger });
  const sessions = new HostSessions({ client, clock, logger });
  const enter = createHostEntry({ settings, client, sessions, openAccount, lookUp: lookUpHostUser });
  return { enter, sessions };
}
