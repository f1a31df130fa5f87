import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import axios from 'axios';
import type { Clock } from '#shared/time/clock.ts';
import { EndpointError } from '../endpointError.ts';
import type { EndpointSettings } from '../endpointSettings.ts';
import { connectionError } from './connectionError.ts';
import { startIdleTimer } from './startIdleTimer.ts';

/** A request to the endpoint. */
export interface EndpointRequest {
  readonly url: URL;
  readonly signal: AbortSignal;
  /** Without a body: GET; an object is sent as JSON. */
  readonly body?: object | FormData;
  /** The request fails when the endpoint sends nothing for this time; default: 60 s. */
  readonly idleMs?: number;
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

const IDLE_MS = 60_000;
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Creates the function that sends requests. The key is sent to the endpoint's own host only: no redirect is followed. A proxy of
 * the environment is used for https to other machines only. A connection is used once.
 */
export function createConnection({ key }: EndpointSettings, { clock, ca }: ConnectionOptions): Send {
  return async ({ url, signal, body, idleMs = IDLE_MS, advice }) => {
    signal.throwIfAborted();
    const idle = new AbortController();
    const timer = startIdleTimer(clock, idleMs, () => idle.abort());
    /** Nothing of the client's error is passed on: it contains the key. */
    const failure = (error: unknown): unknown => {
      timer.stop();
      if (signal.aborted) return signal.reason;
      if (idle.signal.aborted) return stalled(url, idleMs, advice());
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
