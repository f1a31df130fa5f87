import type { CaptureRecord, HttpRecord, HttpRequest, HttpResponse } from '#shared/capture/captureFormat.ts';

/** A request of the capture. */
interface Recorded {
  readonly request: HttpRequest;
  /** Whether its answer comes in pieces. */
  isStreamed: boolean;
  /** The records of its answer whose time has come. */
  readonly arrived: HttpRecord[];
  /** The request of the app that it answers. */
  answered?: Answered;
}

/** A request of the app. */
interface Answered {
  /** The record that caused the request. */
  readonly cause: number | undefined;
  take(part: HttpRecord): void;
}

/**
 * Creates a `fetch` that answers from a capture: a request is answered as the first unused one with the same method and URL, and the same body when
 * both have one. A URL without an origin is compared by its path and query.
 * @param cause returns the record that causes a request which is made now.
 * @param onUnknown receives the method and the path of a request that the capture does not answer.
 */
export function createRecordedFetch(
  records: readonly CaptureRecord[],
  cause: () => number | undefined,
  onUnknown: (request: string) => void,
) {
  const recorded = recordedRequests(records);
  let count = 0;
  const unused = (wanted: HttpRequest) => {
    for (const one of recorded.values())
      if (one.answered === undefined && isSameRequest(one.request, wanted)) return one;
    return undefined;
  };
  const answer: typeof fetch = (input, init) => {
    const wanted = requestOf(input, init);
    count++;
    const found = unused(wanted);
    if (found === undefined) {
      const request = `${wanted.method} ${pathOf(wanted.url).replace(/\?.*$/s, '')}`;
      onUnknown(request);
      return Promise.reject(new TypeError(`the capture has no answer for ${request}`));
    }
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason));
      const take = responder(wanted.url, found.isStreamed, { resolve, reject });
      found.answered = { cause: cause(), take };
      found.arrived.forEach(take);
    });
  };
  return {
    fetch: answer,
    /** Returns how many requests the app has made. */
    count: () => count,
    /** Returns what caused the request of the app to which a record belongs; `undefined` when the app has not made it. */
    causeOf: ({ id }: HttpRecord): number | undefined => recorded.get(id)?.answered?.cause,
    /** Delivers a part of an answer at its time. */
    deliver(record: HttpRecord): void {
      const found = recorded.get(record.id);
      if (found === undefined || record.request !== undefined) return;
      found.arrived.push(record);
      found.answered?.take(record);
    },
  };
}

function recordedRequests(records: readonly CaptureRecord[]): ReadonlyMap<number, Recorded> {
  const recorded = new Map<number, Recorded>();
  for (const record of records) {
    if (!isHttp(record)) continue;
    const { id, request, chunk, end } = record;
    if (request !== undefined) recorded.set(id, { request, isStreamed: false, arrived: [] });
    const found = recorded.get(id);
    if (found !== undefined && (chunk !== undefined || end !== undefined)) found.isStreamed = true;
  }
  return recorded;
}

/** Returns whether a record is a part of an HTTP request. */
export const isHttp = (record: CaptureRecord): record is HttpRecord => record.type === 'http';

function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): HttpRequest {
  const request = input instanceof Request ? input : undefined;
  const url = input instanceof Request ? input.url : input instanceof URL ? input.href : input;
  const { body } = init;
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  const isText = typeof body === 'string' || body instanceof URLSearchParams;
  return { method, url, ...(isText && { body: String(body) }) };
}

const isSameRequest = (a: HttpRequest, b: HttpRequest): boolean =>
  a.method.toUpperCase() === b.method &&
  (a.url === b.url || ((isPath(a.url) || isPath(b.url)) && pathOf(a.url) === pathOf(b.url))) &&
  (a.body === undefined || b.body === undefined || a.body === b.body);

const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i;

const isPath = (url: string): boolean => !ORIGIN.test(url);

/** Returns the path and the query of a URL. */
const pathOf = (url: string): string => url.replace(ORIGIN, '').replace(/#.*$/s, '') || '/';

interface Responding {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: TypeError) => void;
}

/** Returns a function that takes the parts of an answer. */
function responder(url: string, isStreamed: boolean, { resolve, reject }: Responding): Answered['take'] {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  return ({ response, chunk, encoding, end, error }) => {
    if (response !== undefined && isStreamed) {
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
      resolve(withUrl(url, new Response(body, headOf(response))));
    } else if (response !== undefined) resolve(wholeResponse(url, response));
    if (chunk !== undefined) stream?.enqueue(bytesOf(chunk, encoding));
    if (end === true) stream?.close();
    if (error === undefined) return;
    const failure = new TypeError(error);
    if (stream === undefined) reject(failure);
    else stream.error(failure);
  };
}

const headOf = ({ status, headers = {} }: HttpResponse): ResponseInit => ({ status, headers });

const withUrl = (url: string, response: Response): Response =>
  Object.defineProperty(response, 'url', { value: url });

/** Returns the bytes of a body, or of a piece of it. */
const bytesOf = (text: string, encoding: 'base64' | undefined): Uint8Array<ArrayBuffer> =>
  encoding === 'base64'
    ? Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
    : new TextEncoder().encode(text);

/** The statuses of answers without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Returns a whole answer. Its body is ready at once; that of the platform is ready some tasks later. */
function wholeResponse(url: string, recorded: HttpResponse): Response {
  const { status, body = '', encoding } = recorded;
  const bytes = bytesOf(body, encoding);
  const response = new Response(WITHOUT_BODY.has(status) ? null : bytes, headOf(recorded));
  const text = () => new TextDecoder().decode(bytes);
  return withUrl(
    url,
    Object.assign(response, {
      text: async () => text(),
      json: async (): Promise<unknown> => JSON.parse(text()),
      arrayBuffer: async () => bytes.slice().buffer,
      clone: () => wholeResponse(url, recorded),
    }),
  );
}
