import { expect } from 'vitest';
import type { DebianContainer } from './debianContainer.ts';

const URL = 'http://127.0.0.1:4320';

/** An answer of the service. */
interface ContainerAnswer {
  readonly status: number;
  readonly body: string;
}

/** Calls of the service from within its container, by curl. A user's password is `password of <name>`. */
export interface ContainerClient {
  curl(path: string, ...args: readonly string[]): Promise<ContainerAnswer>;
  /** Creates a user of the container. @param groups an option of useradd. */
  addUser(name: string, groups?: string): Promise<void>;
  signIn(name: string): Promise<ContainerAnswer>;
  /** Signs in; returns the token. */
  tokenOf(name: string): Promise<string>;
  me(token: string): Promise<ContainerAnswer>;
}

/** Creates the client of a container. */
export function containerClient({ run, sh, write }: DebianContainer): ContainerClient {
  async function curl(path: string, ...args: readonly string[]): Promise<ContainerAnswer> {
    const { stdout } = await run('curl', '--silent', '--write-out', '\n%{http_code}', ...args, URL + path);
    const [body = '', status] = stdout.split(/\n(?=\d+$)/);
    return { status: Number(status), body };
  }
  const signIn = (name: string) => curl('/auth', '--json', `@/root/${name}.json`);
  return {
    curl,
    async addUser(name, groups = '') {
      const password = `password of ${name}`;
      await sh(`useradd --create-home ${groups} ${name}; echo '${name}:${password}' | chpasswd`);
      await write(`/root/${name}.json`, JSON.stringify({ username: name, password }));
    },
    signIn,
    async tokenOf(name) {
      const { status, body } = await signIn(name);
      expect(status).toBe(200);
      return String(JSON.parse(body).token);
    },
    me: (token) => curl('/me', '--header', `Authorization: Bearer ${token}`),
  };
}
