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
