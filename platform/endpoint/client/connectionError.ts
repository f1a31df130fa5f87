import { errorCode } from '#shared/errorCode.ts';
import { EndpointError } from '../endpointError.ts';

const SETTINGS = 'in Settings › Assistant';
const CHANGE = `change the address ${SETTINGS}`;

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);
const UNKNOWN_NAMES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']);
const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN']);
const UNKNOWN_ISSUER = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER|UNEXPECTED_MESSAGE|^EPROTO$/;
const TLS =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|UNABLE_TO_|PATH_LENGTH)/;

const TRUST = 'start Parley with NODE_EXTRA_CA_CERTS=<the certificate’s file>';

/** Returns why a certificate is refused, and what to do; `null` for an error that is not about encryption. */
function tlsText(code: string, { origin, hostname }: URL): string | null {
  if (SELF_SIGNED.has(code))
    return `The certificate of ${origin} is self-signed, so it is not trusted. To trust it, ${TRUST}.`;
  if (UNKNOWN_ISSUER.has(code))
    return `The certificate of ${origin} comes from an authority that is not known here. To trust it, ${TRUST}.`;
  if (code === 'CERT_HAS_EXPIRED')
    return `The certificate of ${origin} has expired. Renew it on the server, and check this machine’s date.`;
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${origin} is not valid yet. Check this machine’s date.`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The certificate of ${origin} is for another name than ${hostname}. Use the name in the certificate: ${CHANGE}.`;
  if (NO_TLS.test(code)) return `The server at ${origin} does not speak https. Use http: ${CHANGE}.`;
  return TLS.test(code)
    ? `No secure connection to ${origin} is possible (${code}). Check its certificate.`
    : null;
}

/**
 * Converts an error of the HTTP client: no answer was received, or its rest is missing.
 * @param advice What to do after a lost connection.
 */
export function connectionError(error: unknown, url: URL, advice: string): EndpointError {
  const code = errorCode(error) ?? '';
  const { origin, hostname } = url;
  // One text for a host that refuses and a host that is not there: a test of the settings tells a page no more.
  if (UNREACHABLE.has(code))
    return new EndpointError(
      'refused',
      `No server answers at ${origin}. Start it, check the network, or ${CHANGE}.`,
    );
  if (UNKNOWN_NAMES.has(code))
    return new EndpointError('notFound', `No host is named “${hostname}”. Check the network, or ${CHANGE}.`);
  const tls = tlsText(code, url);
  if (tls !== null) return new EndpointError('tls', tls);
  if (code.startsWith('HPE_'))
    return new EndpointError(
      'broken',
      `The server at ${origin} does not speak HTTP (${code}). Check the address ${SETTINGS}.`,
    );
  return new EndpointError('cut', `The connection to ${origin} ended before the answer did. ${advice}`);
}
