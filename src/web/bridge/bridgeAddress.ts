/** Where a page opens the bridge; nothing else upgrades. */
export const BRIDGE_PATH = '/-/bridge';

/** The WebSocket protocol that the host selects. */
export const BRIDGE_PROTOCOL = 'parley-bridge';

/**
 * The protocols that a page offers: a browser's WebSocket takes no header of the page's own, so the page's secret stands among
 * them. An address would be logged and kept.
 */
export const bridgeProtocols = (pageSecret: string | null): string[] =>
  pageSecret === null ? [BRIDGE_PROTOCOL] : [BRIDGE_PROTOCOL, pageSecret];
