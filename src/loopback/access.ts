import { createHash, timingSafeEqual } from 'node:crypto';

/** The access rules of a server on 127.0.0.1 (contract §2). The server applies them to each request and upgrade. */

/** The credentials of a request. */
interface Visitor {
  readonly method: string;
  readonly cookie: string | undefined;
  /** The token in the address of the page `/`; other addresses have none. */
  readonly token: string | undefined;
}

/**
 * - `enter`: the cookie is valid.
 * - `exchange`: the token was valid and is now used: the response sets the cookie and contains the page's secret.
 * - `unknown`: the response is a 403.
 */
type Decision = 'enter' | 'exchange' | 'unknown';

/** The program that serves, as refusals name it. */
interface Program {
  readonly name: string;
  /** The command that prints an address with a token. */
  readonly command: string;
}

const REFUSALS = {
  foreign: ({ name, command }: Program, address: string) =>
    `403: ${name} answers at ${address} only, and only its own pages. Use the address that ${command} prints.\n`,
  unknown: ({ name, command }: Program, address: string) =>
    `403: ${name} at ${address} does not know this browser. Use the address that ${command} prints: ` +
    `it works once, and the browser is known from then on. Starting ${name} again prints a fresh one.\n`,
};

/** The longest lifetime of a cookie in browsers: 400 days, in seconds. */
const COOKIE_S = 400 * 24 * 60 * 60;

interface AccessOptions {
  readonly port: number;
  /** Returns a number of random bytes from the system's source. */
  readonly random: (bytes: number) => Buffer;
  readonly program: Program;
}

/** The access rules of one server: its cookie, its tokens and the page's secret. */
export class Access {
  /** The cookie's value while this process runs. */
  readonly #secret: string;
  /** The unused tokens, each with a function that is called when it is used. */
  readonly #unused = new Map<string, () => void>();
  readonly #address: URL;

  constructor(private readonly options: AccessOptions) {
    this.#address = new URL(`http://127.0.0.1:${options.port}`);
    this.cookieName = `parley-${options.port}`;
    this.#secret = this.#randomText();
    this.pageSecret = this.#randomText();
  }

  /**
   * The secret that our pages present in addition to the cookie, while this process runs. They store it in `localStorage`,
   * which is separate for each origin and thus for each port: a server on another port receives the cookie, but not it.
   */
  readonly pageSecret: string;

  /** The cookie's name. It contains the port, because all ports of an address share their cookies. */
  readonly cookieName: string;

  /** The origin of every page of this server. */
  get origin(): string {
    return this.#address.origin;
  }

  /** The `Set-Cookie` value. The cookie outlives the browser, so that a browser that was closed is still known. */
  get cookie(): string {
    return `${this.cookieName}=${this.#secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_S}`;
  }

  /**
   * Returns an address with a token, which one browser can use once.
   * @param onSpent called when the token was used.
   */
  invitation(onSpent: () => void = () => {}): string {
    const token = this.#randomText();
    this.#unused.set(token, onSpent);
    return `${this.origin}/?token=${token}`;
  }

  /** Returns the decision on a request to this server. `foreignStatus` has refused all other requests. */
  check({ method, cookie, token }: Visitor): Decision {
    if (method === 'GET' && token !== undefined && this.#spend(token)) return 'exchange';
    return cookie !== undefined && isSameSecret(cookie, this.#secret) ? 'enter' : 'unknown';
  }

  /** Returns the text of a refusal, which says what to do. */
  refusal(why: keyof typeof REFUSALS): string {
    return REFUSALS[why](this.options.program, this.origin);
  }

  #randomText(): string {
    return this.options.random(32).toString('base64url');
  }

  #spend(token: string): boolean {
    for (const [unused, onSpent] of this.#unused) {
      if (!isSameSecret(unused, token)) continue;
      this.#unused.delete(unused);
      onSpent();
      return true;
    }
    return false;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares secrets in constant time. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

/** The message when a server cannot listen on 127.0.0.1 at any port. */
export const NO_LOOPBACK =
  'cannot listen on 127.0.0.1: this machine has no such address; turn its loopback network interface on, then start again';

const CODES: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT']);

/** Returns whether the error of a server that listens on 127.0.0.1 means that the machine has no such address. */
export const isNoLoopback = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CODES.has(error.code);
