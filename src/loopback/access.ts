import { createHash, timingSafeEqual } from 'node:crypto';

/** Who may come in to a server on 127.0.0.1 (contract §2). Decides only; the server asks it for each request and upgrade. */

/** What a request says of itself. */
export interface Visitor {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
  /** The token in the address of the page itself; elsewhere there is none. */
  readonly token: string | undefined;
}

/**
 * - `enter`: the cookie is there.
 * - `exchange`: the token was good, and is spent: the answer sets the cookie.
 * - the others are a 403, with words for each.
 */
export type Verdict = 'enter' | 'exchange' | 'foreign' | 'unknown';

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

interface AccessOptions {
  readonly port: number;
  /** Gives that many random bytes, from the system's source. */
  readonly random: (bytes: number) => Buffer;
  readonly program: Program;
}

export class Access {
  /** What the cookie holds for as long as this process runs. */
  readonly #secret: string;
  readonly #unspent = new Set<string>();
  readonly #address: URL;

  constructor(private readonly options: AccessOptions) {
    this.#address = new URL(`http://127.0.0.1:${options.port}`);
    this.cookieName = `parley-${options.port}`;
    this.#secret = this.#fresh();
  }

  /** Cookies are shared by all ports of an address, so the port is in the name. */
  readonly cookieName: string;

  /** The origin of every page of this server. */
  get origin(): string {
    return this.#address.origin;
  }

  get cookie(): string {
    return `${this.cookieName}=${this.#secret}; HttpOnly; SameSite=Strict; Path=/`;
  }

  /** An address that lets one browser in, once. */
  invitation(): string {
    const token = this.#fresh();
    this.#unspent.add(token);
    return `${this.origin}/?token=${token}`;
  }

  judge(visitor: Visitor): Verdict {
    if (!this.isAtHome(visitor)) return 'foreign';
    const exchanged = visitor.method === 'GET' && visitor.token !== undefined && this.#spend(visitor.token);
    if (visitor.cookie !== undefined && isSame(visitor.cookie, this.#secret)) return 'enter';
    return exchanged ? 'exchange' : 'unknown';
  }

  /** Whether the request is for this very address, and not from another site's page. */
  isAtHome({ host, origin }: Pick<Visitor, 'host' | 'origin'>): boolean {
    return host === this.#address.host && (origin === undefined || origin === this.origin);
  }

  /** The 403's words: what to do about it. */
  refusal(verdict: keyof typeof REFUSALS): string {
    return REFUSALS[verdict](this.options.program, this.origin);
  }

  #fresh(): string {
    return this.options.random(32).toString('base64url');
  }

  #spend(token: string): boolean {
    const found = [...this.#unspent].filter((unspent) => isSame(unspent, token));
    return found.some((unspent) => this.#unspent.delete(unspent));
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares secrets in a time that says nothing of where they differ. */
export function isSame(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}
