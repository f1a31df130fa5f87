/** The path at which a page opens the bridge; no other path upgrades. */
export const BRIDGE_PATH = '/-/bridge';

/** The WebSocket protocol that the host selects. */
export const BRIDGE_PROTOCOL = 'parley-bridge';

/**
 * Returns the protocols that a page offers. They contain the page's secret, because a browser's WebSocket has no other
 * header that the page can set, and an address would be logged and stored.
 */
export const bridgeProtocols = (pageSecret: string | null): string[] =>
  pageSecret === null ? [BRIDGE_PROTOCOL] : [BRIDGE_PROTOCOL, pageSecret];

/** The path at which an open page is recognized again, also by a host that was started again. */
export const RESUME_PATH = '/-/resume';

/** What both sides prove to each other that they know: the key that the host gave to the page over the bridge. */
interface Exchange {
  /** A page of another port is another page, so a server there cannot pass proofs on. */
  readonly port: number;
  /** Random text of the page. */
  readonly nonce: string;
  /** Random text of the host. */
  readonly challenge: string;
}

/** Returns the text whose HMAC (SHA-256, in hexadecimal) with the key proves that a side knows it. */
export const proofText = (side: 'host' | 'page', { port, nonce, challenge }: Exchange): string =>
  JSON.stringify([side, port, nonce, challenge]);
