import type { InternalAxiosRequestConfig } from 'axios';
import { IDENTITIES } from '../world/identities.ts';
import type { Party } from '../world/world.ts';
import { type Service, reachService } from './endpoint.ts';

/** The beginning of each token of a session: a secret. */
export const HOST_TOKEN = 'host-token-5b90';

/** The settings of a platform whose accounts are the users of the machine. */
export const HOST_SETTINGS = { url: 'http://127.0.0.1:4320', isLocal: true, hostName: 'example.org' };

/** How long a session lives without a use, in milliseconds. */
const LIFE_MS = 90_000;
/** After this many wrong passwords, a user waits. */
const MOST_FAILURES = 3;

/**
 * The users of the simulated machine: PAM's answers, through the calls of the host-account service (spec §4.3) that the platform uses. At times it is busy, or does not answer; after
 * wrong passwords a user waits, and an administrator can end all sessions.
 */
export class HostUsers {
  readonly #sessions = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  #issued = 0;
  /** Whether it answers every request. */
  isWell = false;

  constructor(private readonly today: () => Date) {}

  /** Ends every session, as a change of the accounts does. */
  endSessions(): void {
    this.#sessions.clear();
  }

  /** Returns whether the user of an address has a session. */
  hasSession = (address: string): boolean =>
    [...this.#sessions.values()].some((username) => address === `${username}@${HOST_SETTINGS.hostName}`);

  /** Answers a request of the platform. */
  answer = async (config: InternalAxiosRequestConfig, party: Party): Promise<unknown> => {
    await reachService(config, party, this.isWell ? WELL : { slowest: 60, refusals: 0.03, silence: 0.05 });
    const answer = !this.isWell && party.random.chance(0.03) ? BUSY : this.#answerTo(config);
    return { statusText: '', headers: {}, config, request: {}, ...answer };
  };

  #answerTo({ url = '', data, headers }: InternalAxiosRequestConfig) {
    if (url.endsWith('/auth')) return this.#signIn(JSON.parse(String(data)));
    const token = String(headers.get('authorization')).replace('Bearer ', '');
    const username = this.#sessions.get(token);
    if (username === undefined) return { status: 401 };
    if (url.endsWith('/me')) return { status: 200, data: { username, ...this.#expiry() } };
    this.#sessions.delete(token);
    return { status: 204 };
  }

  #signIn({ username, password }: { readonly username: string; readonly password: string }) {
    const failures = this.#failures.get(username) ?? 0;
    this.#failures.set(username, failures + 1);
    if (failures >= MOST_FAILURES) {
      this.#failures.delete(username);
      return { status: 429, headers: { 'retry-after': '5' } };
    }
    const user = IDENTITIES.find(({ email }) => email === `${username}@${HOST_SETTINGS.hostName}`);
    if (user?.password !== password) return { status: 401 };
    this.#failures.delete(username);
    const token = `${HOST_TOKEN}-${++this.#issued}`;
    this.#sessions.set(token, username);
    return { status: 200, data: { token, username, ...this.#expiry() } };
  }

  #expiry = () => ({ expires_at: new Date(this.today().getTime() + LIFE_MS).toISOString() });
}

const WELL: Service = { slowest: 60, refusals: 0, silence: 0 };
const BUSY = { status: 503, headers: { 'retry-after': '1' } };
