import { HostauthError, createClient } from '#hostauth/api/client.ts';

/** Wrong logins that go on. */
export interface WrongLogins {
  /** Lets those under way come to their end. Gives how many were refused for their credentials. */
  stop(): Promise<number>;
}

export interface WrongLoginsOptions {
  readonly baseUrl: string;
  readonly username: string;
  /** How many are under way at once. */
  readonly count: number;
}

/** Begins them; each that is refused is followed by another. */
export function wrongLogins({ baseUrl, username, count }: WrongLoginsOptions): WrongLogins {
  const client = createClient({ baseUrl });
  const stopped = new AbortController();
  let refused = 0;

  async function once(): Promise<void> {
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

  async function goOn(): Promise<void> {
    while (!stopped.signal.aborted) await once();
  }

  const all = Promise.all(Array.from({ length: count }, goOn));
  return {
    async stop() {
      stopped.abort();
      await all;
      return refused;
    },
  };
}
