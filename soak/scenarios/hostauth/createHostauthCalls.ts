import { connect } from 'node:net';

/** A name and a password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The part of an answer that the scenario uses. */
export interface Answer {
  readonly status: number;
  /** Empty unless a sign-in succeeded. */
  readonly token: string;
}

/** Returns functions that call hostauth once, each from a client address that it forwards as a trusted proxy. */
export function createHostauthCalls(url: string, onAnswer: (answer: Answer) => void) {
  async function call(
    [method, path]: readonly [string, string],
    { address, token, body }: { readonly address: string; readonly token?: string; readonly body?: unknown },
  ): Promise<Answer> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'x-forwarded-for': address,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, token: /"token":"([\w-]+)"/.exec(text)?.[1] ?? '' };
    onAnswer(answer);
    return answer;
  }
  return {
    signIn: (address: string, body: Credentials) => call(['POST', '/auth'], { address, body }),
    me: (address: string, token: string) => call(['GET', '/me'], { address, token }),
    logOut: (address: string, token: string) => call(['POST', '/logout'], { address, token }),
    createUser: (address: string, token: string, body: Credentials) =>
      call(['POST', '/users'], { address, token, body }),
  };
}

/** The calls to a running service. */
export type HostauthCalls = ReturnType<typeof createHostauthCalls>;

/** Sends a sign-in, or a part of it, and resets the connection before the answer. */
export function loseSignIn(url: string, { share, ...credentials }: Credentials & { readonly share: number }) {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(credentials);
  const head = `POST /auth HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Forwarded-For: 10.7.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const text = head + body;
  return new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined).once('close', () => resolve());
    socket.write(text.slice(0, Math.ceil(text.length * share)), () => socket.resetAndDestroy());
  });
}
