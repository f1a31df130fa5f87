import { HostauthError, createClient } from '#hostauth/api/client.ts';

/** Wrong logins that run until they are stopped. */
interface WrongLogins {
  /** Waits for the current logins. Returns how many were refused for their credentials. */
  stop(): Promise<number>;
}

/** The options of `startWrongLogins`. */
interface WrongLoginsOptions {
  readonly baseUrl: string;
  readonly username: string;
  /** Number of logins at once. */
  readonly count: number;
}

/** Starts wrong logins. A new one follows each that is refused. */
export function startWrongLogins({ baseUrl, username, count }: WrongLoginsOptions): WrongLogins {
  const client = createClient({ baseUrl });
  const stopped = new AbortController();
  let refused = 0;

  async function attempt(): Promise<void> {
    try {
      await client.signIn({ username, password: 'wrong' });
    } catch (error) {
      if (!(error instanceof HostauthError)) throw error;
      const { status } = error.problem;
      // 503: it waited too long for PAM, which happens on a busy machine.
      if (status !== 401 && status !== 503) throw error;
      if (status === 401) refused++;
    }
  }

  async function repeat(): Promise<void> {
    while (!stopped.signal.aborted) await attempt();
  }

  const all = Promise.all(Array.from({ length: count }, repeat));
  return {
    async stop() {
      stopped.abort();
      await all;
      return refused;
    },
  };
}
