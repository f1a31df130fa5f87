import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/** The options of `createHostCheck`. */
interface HostCheckOptions {
  /** The name or address on which the service listens. */
  readonly host: string;
  /** With TLS: the names in it are allowed too. */
  readonly certificate: X509Certificate | null;
}

/** Whether a request names this service and was not sent by a page of another site (contract §8). */
export type HostCheck = (request: IncomingMessage) => boolean;

const OWN = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host);

/**
 * Creates the check of `Host` and `Origin`. A page in a browser can reach loopback, also under a name that resolves to it,
 * but then its `Host` or `Origin` is that of another site. Programs send no `Origin`.
 */
export function createHostCheck({ host, certificate }: HostCheckOptions): HostCheck {
  const names = new Set([...OWN, bracketed(host).toLowerCase()]);
  const scheme = certificate === null ? 'http' : 'https';
  const defaultPort = certificate === null ? 80 : 443;

  function isOurs(name: string): boolean {
    if (names.has(name)) return true;
    if (certificate === null) return false;
    const bare = name.replace(/^\[|\]$/g, '');
    return (isIP(bare) === 0 ? certificate.checkHost(bare) : certificate.checkIP(bare)) !== undefined;
  }

  return ({ headers, socket }) => {
    const asked = headers.host?.toLowerCase();
    const parts = asked === undefined ? null : HOST.exec(asked);
    if (parts === null) return false;
    const [, name = '', port = String(defaultPort)] = parts;
    if (port !== String(socket.localPort) || !isOurs(name)) return false;
    return headers.origin === undefined || headers.origin.toLowerCase() === `${scheme}://${asked}`;
  };
}
