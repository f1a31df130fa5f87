import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { type Clock, systemClock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { CERTIFICATES, CERTIFICATE_KEY } from './certificates.ts';
import { type StubReply, failure, writeReply } from './stubReply.ts';

/** A request that the stub received. */
interface StubRequest {
  readonly method: string;
  /** The path with its query: `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON of the body; `undefined` when it is not JSON. */
  readonly json: unknown;
  readonly body: Buffer;
  /** Resolves when the connection is closed or the reply complete: `false` when the client left before the end. */
  readonly isComplete: Promise<boolean>;
}

/** The paths of the public format. */
export const STUB_PATHS = {
  chat: '/v1/chat/completions',
  models: '/v1/models',
  transcriptions: '/v1/audio/transcriptions',
} as const;

/** A reply, or a function that makes it. */
type Reply = StubReply | ((request: StubRequest) => StubReply);

const DEFAULT_MODELS: readonly object[] = [
  { id: 'stub-model', object: 'model', created: 1_760_000_000, owned_by: 'stub', max_model_len: 8192 },
];

/** The options of `startEndpointStub`. */
export interface StubOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** The time of pauses; default: the system's. */
  readonly clock?: Clock;
  /** Default: one model, `stub-model`, with a context window of 8,192 tokens. */
  readonly models?: readonly object[];
  /** The key that requests must have; any other gets 401. */
  readonly key?: string;
  /** Speaks https with this certificate (`certificates.ts`). */
  readonly tls?: keyof typeof CERTIFICATES;
}

/** A running stub. */
export type EndpointStub = Awaited<ReturnType<typeof startEndpointStub>>;

/**
 * Starts an OpenAI-compatible endpoint on 127.0.0.1 whose replies are scripted. A chat without a script gets `Hello, Ada.`; a
 * path without a script gets 404.
 *
 * ```ts
 * stub.next({ steps: chunksOf('Hello, *Ada*.'), everyMs: 20 });          // the first answer
 * stub.next(failure(429, 'Slow down.', { headers: { 'retry-after': '7' } })); // the second one
 * stub.next({ steps: ['Half an ', { hold: true }, 'answer'], end: 'cut' }); // the third one; `stub.release()` lets it continue
 * stub.always({ body: { text: 'Words.' } }, STUB_PATHS.transcriptions);
 * expect((await stub.request(0)).json).toMatchObject({ stream: true });
 * ```
 */
export async function startEndpointStub(options: StubOptions = {}) {
  const { port = 0, clock = systemClock(globalThis), models = DEFAULT_MODELS, key, tls } = options;
  const requests: StubRequest[] = [];
  const arrivals = createArrivals(requests);
  const gate = createGate();
  const { take, ...scripts } = createScripts(models);
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await requestOf(incoming, response);
    requests.push(request);
    arrivals.check();
    const isKnown = key === undefined || request.headers.authorization === `Bearer ${key}`;
    const reply = isKnown ? take(request) : wrongKey(request);
    await writeReply(response, reply, { clock, held: gate.wait, ...wishesOf(request.json) });
  };
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) =>
    // A client that leaves while it sends is a part of the tests.
    void answer(incoming, response).catch(() => response.destroy());
  const server =
    tls === undefined
      ? createServer(onRequest)
      : createSecureServer({ key: CERTIFICATE_KEY, cert: CERTIFICATES[tls] }, onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const actual = typeof address === 'object' && address !== null ? address.port : port;
  return {
    /** The base URL: `http://127.0.0.1:40001/v1`. */
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${actual}/v1`,
    port: actual,
    /** What it received, the oldest first. */
    requests: requests as readonly StubRequest[],
    ...scripts,
    /** Lets the oldest step `hold` continue, or the next one when none waits. */
    release: gate.release,
    /** Resolves with the request of this number (0: the first) to a path, when it has arrived; default: the chat. */
    request: arrivals.request,
    /** Closes every connection and the server. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Creates the replies of a stub with these models. */
function createScripts(models: readonly object[]) {
  const next = new Map<string, Reply[]>();
  const always = new Map<string, Reply>([
    [STUB_PATHS.chat, { steps: ['Hello,', ' Ada.'] }],
    [STUB_PATHS.models, { body: { object: 'list', data: models } }],
  ]);
  return {
    /** Sets the reply to the next request to this path that has none yet; default: the chat. */
    next: (reply: Reply, path: string = STUB_PATHS.chat) =>
      void next.set(path, [...(next.get(path) ?? []), reply]),
    /** Sets the reply to every request to this path for which `next` set none; default: the chat. */
    always: (reply: Reply, path: string = STUB_PATHS.chat) => void always.set(path, reply),
    /** Returns the reply to a request: 404 for an unknown path. */
    take(request: StubRequest): StubReply {
      const reply = next.get(request.path)?.shift() ?? always.get(request.path) ?? failure(404, 'Not Found');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  };
}

/** The public service repeats the key in its message: it must not reach the person. */
const wrongKey = ({ headers }: StubRequest) =>
  failure(401, `Incorrect API key provided: ${headers.authorization?.slice('Bearer '.length)}.`, {
    code: 'invalid_api_key',
  });

/** Creates the function that waits for a request of a path. */
function createArrivals(requests: readonly StubRequest[]) {
  const waiting = new Set<() => void>();
  return {
    check: () => waiting.forEach((tryAgain) => tryAgain()),
    request: (index: number, path: string = STUB_PATHS.chat) =>
      new Promise<StubRequest>((resolve) => {
        const tryAgain = () => {
          const request = requests.filter((other) => other.path === path)[index];
          if (request === undefined) return;
          waiting.delete(tryAgain);
          resolve(request);
        };
        waiting.add(tryAgain);
        tryAgain();
      }),
  };
}

/** Reads a request to its end. */
async function requestOf(incoming: IncomingMessage, response: ServerResponse): Promise<StubRequest> {
  const isComplete = new Promise<boolean>((resolve) => {
    response.on('close', () => resolve(response.writableFinished));
  });
  const body = await buffer(incoming);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    json: tryParseJson(body.toString('utf8')),
    body,
    isComplete,
  };
}

const wishesSchema = z.object({
  model: z.string(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
});

/** Returns the model that a request names, and whether it asks for the usage. */
function wishesOf(json: unknown): { model: string; wantsUsage: boolean } {
  const { data } = wishesSchema.safeParse(json);
  return { model: data?.model ?? '', wantsUsage: data?.stream_options?.include_usage === true };
}

/** Creates a gate that lets one waiter through for each release; a release without a waiter is kept for the next one. */
function createGate() {
  const waiting: (() => void)[] = [];
  let released = 0;
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        if (released === 0) waiting.push(resolve);
        else {
          released -= 1;
          resolve();
        }
      }),
    release() {
      const resolve = waiting.shift();
      if (resolve === undefined) released += 1;
      else resolve();
    },
  };
}
