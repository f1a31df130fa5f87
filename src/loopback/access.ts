import { createHash, timingSafeEqual } from 'node:crypto';

/** Who may come in to a server on 127.0.0.1 (contract §2). Decides only; the server asks it for each request and upgrade. */

/** What a request to this server presents. */
interface Visitor {
  readonly method: string;
  readonly cookie: string | undefined;
  /** The token in the address of the page itself; elsewhere there is none. */
  readonly token: string | undefined;
}

/**
 * - `enter`: the cookie is valid.
 * - `exchange`: the token was good and is spent: the response sets the cookie and carries the page's secret.
 * - `unknown`: a 403.
 */
type Verdict = 'enter' | 'exchange' | 'unknown';

/** How a refusal speaks of the program that serves. */
export interface Program {
  readonly name: string;
  /** The command that prints an address to enter by. */
  readonly command: string;
}

const REFUSALS = {
  foreign: ({ name, command }: Program, address: string) =>
    `403: ${name} answers at ${address} only, and only its own pages. Use the address that \`${command}\` prints.\n`,
  unknown: ({ name, command }: Program, address: string) =>
    `403: ${name} at ${address} does not know this browser. Use the address that \`${command}\` prints: ` +
    `it works once, and the browser is known from then on. Starting ${name} again prints a fresh one.\n`,
};

/** The longest that browsers keep a cookie: 400 days, in seconds. */
const COOKIE_S = 400 * 24 * 60 * 60;

interface AccessOptions {
  readonly port: number;
  /** Gives that many random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
  readonly program: Program;
}

export class Access {
  /** The cookie's value for as long as this process runs. */
  readonly #secret: string;
  /** Unspent tokens, each with what to do when it is spent. */
  readonly #unspent = new Map<string, () => void>();
  readonly #address: URL;

  constructor(private readonly options: AccessOptions) {
    this.#address = new URL(`http://127.0.0.1:${options.port}`);
    this.cookieName = `parley-${options.port}`;
    this.#secret = this.#fresh();
    this.pageSecret = this.#fresh();
  }

  /**
   * What our pages present beside the cookie, for as long as this process runs. They keep it in `localStorage`, which each
   * origin, and so each port, has for itself: a server on another port that collects the cookie does not get it.
   */
  readonly pageSecret: string;

  /** Cookies are shared by all ports of an address, so the port is in the name. */
  readonly cookieName: string;

  /** The origin of every page of this server. */
  get origin(): string {
    return this.#address.origin;
  }

  /** It outlives the browser, so that one that was closed and opened again is still known. */
  get cookie(): string {
    return `${this.cookieName}=${this.#secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_S}`;
  }

  /**
   * An address that lets one browser in, once.
   * @param onSpent called when it was used.
   */
  invitation(onSpent: () => void = () => {}): string {
    const token = this.#fresh();
    this.#unspent.set(token, onSpent);
    return `${this.origin}/?token=${token}`;
  }

  /** Judges a request for this very server (`foreignStatus` refuses all others). */
  judge({ method, cookie, token }: Visitor): Verdict {
    if (method === 'GET' && token !== undefined && this.#spend(token)) return 'exchange';
    return cookie !== undefined && isSame(cookie, this.#secret) ? 'enter' : 'unknown';
  }

  /** The text of a refusal: what to do about it. */
  refusal(why: keyof typeof REFUSALS): string {
    return REFUSALS[why](this.options.program, this.origin);
  }

  #fresh(): string {
    return this.options.random(32).toString('base64url');
  }

  #spend(token: string): boolean {
    for (const [unspent, onSpent] of this.#unspent) {
      if (!isSame(unspent, token)) continue;
      this.#unspent.delete(unspent);
      onSpent();
      return true;
    }
    return false;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares secrets in a time that says nothing of where they differ. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}
