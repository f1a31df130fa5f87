import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import axios from 'axios';
import { errorCode } from '#shared/formatText.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import { EndpointError } from './endpoint.ts';
import type { EndpointSettings } from './endpointSettings.ts';

/** A request to the endpoint. */
export interface EndpointRequest {
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Without a body: GET; an object is sent as JSON. */
  readonly body?: object | FormData;
  /** Returns the time after which the request fails when the endpoint sends nothing; default: 60 s. */
  readonly idleMs?: () => number;
  /** Returns what the person can do when the connection is lost. */
  readonly advice: () => string;
}

/** A response whose body has not been read. `bytes` must be read or ended. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Fails with {@link EndpointError}, or with the signal's reason. */
  readonly bytes: AsyncGenerator<Uint8Array, void, void>;
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly clock: Clock;
  /** The certificates of the authorities to trust instead of Node's. */
  readonly ca?: string;
}

/**
 * Sends a request.
 * @throws {EndpointError} without a response, or the signal's reason.
 */
export type Send = (request: EndpointRequest) => Promise<EndpointResponse>;

/** The longest pause between two parts of a response. */
export const IDLE_MS = 60_000;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Creates the function that sends requests. The key is sent to the endpoint's own host only: no redirect is followed. A proxy of
 * the environment is used for https to other machines only. A connection is used once.
 */
export function createConnection({ key }: EndpointSettings, { clock, ca }: ConnectionOptions): Send {
  return async ({ url, signal, body, idleMs = () => IDLE_MS, advice }) => {
    signal.throwIfAborted();
    const idle = new AbortController();
    const timer = startIdleTimer(clock, idleMs, () => idle.abort());
    /** Nothing of the client's error is passed on: it contains the key. */
    const failure = (error: unknown): unknown => {
      timer.stop();
      if (signal.aborted) return signal.reason;
      if (idle.signal.aborted) return stalled(url, idleMs(), advice());
      return connectionError(error, url, advice());
    };
    const combined = AbortSignal.any([signal, idle.signal]);
    try {
      const { status, headers, data } = await axios.request<Readable>({
        url: url.href,
        method: body === undefined ? 'GET' : 'POST',
        data: body,
        headers: headersOf(key, body),
        signal: combined,
        responseType: 'stream',
        validateStatus: () => true,
        maxRedirects: 0,
        maxBodyLength: Infinity,
        ...(usesProxy(url) ? {} : { proxy: false }),
        httpAgent: new HttpAgent(),
        httpsAgent: new HttpsAgent({ rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) }),
      });
      timer.touch();
      return { status, headers: textHeaders(headers), bytes: read(data, timer, failure) };
    } catch (error) {
      throw failure(error);
    }
  };
}

const usesProxy = ({ protocol, hostname }: URL) => protocol === 'https:' && !LOOPBACK.test(hostname);

const headersOf = (key: string | null, body: object | undefined) => ({
  'User-Agent': 'Parley',
  'Accept-Encoding': 'identity',
  ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
  ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
});

const textHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Reads a body. The time in which the reader does something else does not count. */
async function* read(
  stream: Readable,
  timer: ReturnType<typeof startIdleTimer>,
  failure: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of stream) {
      timer.stop();
      if (chunk instanceof Uint8Array) yield chunk;
      timer.touch();
    }
  } catch (error) {
    throw failure(error);
  } finally {
    timer.stop();
    stream.destroy();
  }
}

const stalled = ({ origin }: URL, ms: number, advice: string) =>
  new EndpointError('stalled', `${origin} sent nothing for ${ms / 1000} seconds. ${advice}`);

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

/** A timer that runs while nothing happens. */
interface IdleTimer {
  /** Starts it again. */
  touch(): void;
  stop(): void;
}

/** Starts a timer that calls `onIdle` when it was not touched for the time that `ms` returns when it starts. */
export function startIdleTimer(clock: Clock, ms: () => number, onIdle: () => void): IdleTimer {
  let cancel: Cancel = clock.after(ms(), onIdle);
  return {
    touch() {
      cancel();
      cancel = clock.after(ms(), onIdle);
    },
    stop: () => cancel(),
  };
}
