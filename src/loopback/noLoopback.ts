/** The message when a server cannot listen on 127.0.0.1 at any port. */
export const NO_LOOPBACK =
  'cannot listen on 127.0.0.1: this machine has no such address; turn its loopback network interface on, then start again';

const CODES: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENETDOWN', 'EAFNOSUPPORT']);

/** Returns whether the error of a server that listens on 127.0.0.1 means that the machine has no such address. */
export const isNoLoopback = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && CODES.has(error.code);
