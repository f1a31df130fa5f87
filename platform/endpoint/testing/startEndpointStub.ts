import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { CERTIFICATE, KEY } from './certificates.ts';
import { tryParseJson } from '#shared/json.ts';

interface StubRequest {
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

const MODELS: readonly object[] = [
  { id: 'stub-model', object: 'model', created: 1_760_000_000, owned_by: 'stub', max_model_len: 8192 },
];

/** The options of `startEndpointStub`. */
export interface StubOptions {
  /** Default: one model, `stub-model`, with a context window of 8,192 tokens. */
  readonly models?: readonly object[];
  /** The key that requests must have; any other gets 401. */
  readonly key?: string;
  readonly isSecure?: boolean;
}

/** Starts an OpenAI-compatible endpoint on a free port of 127.0.0.1. A chat without a script gets `Hello, Ada.`; a path without one 404. */
export async function startEndpointStub({ models = MODELS, key, isSecure = false }: StubOptions = {}) {
  const requests: StubRequest[] = [];
  const events = new EventEmitter();
  const gate = { released: 0 };
  const held = async () => {
    while (gate.released === 0) await once(events, 'released');
    gate.released -= 1;
  };
  const next = new Map<string, StubReply[]>();
  const always = new Map<string, StubReply>([
    [STUB_PATHS.chat, { steps: ['Hello,', ' Ada.'] }],
    [STUB_PATHS.models, { body: { object: 'list', data: models } }],
  ]);
  const replyTo = ({ path, headers }: StubRequest) =>
    key === undefined || headers.authorization === `Bearer ${key}`
      ? (next.get(path)?.shift() ?? always.get(path) ?? failure(404, 'Not Found'))
      : wrongKey(headers.authorization);
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const request = await requestOf(incoming, response);
    requests.push(request);
    events.emit('request');
    await writeReply(response, replyTo(request), { held, ...wishesOf(request.json) });
  };
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) =>
    // A client that leaves while it sends is a part of the tests.
    void answer(incoming, response).catch(() => response.destroy());
  const server = isSecure
    ? createSecureServer({ key: KEY, cert: CERTIFICATE }, onRequest)
    : createServer(onRequest);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port }: { port: number } = Object(server.address());
  return {
    /** The base URL: `http://127.0.0.1:40001/v1`. */
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/v1`,
    port,
    requests: requests as readonly StubRequest[],
    /** Sets the reply to the next request to this path that has none yet; default: the chat. */
    next: (reply: StubReply, path: string = STUB_PATHS.chat) =>
      void next.set(path, [...(next.get(path) ?? []), reply]),
    /** Sets the reply to every request to this path for which `next` set none; default: the chat. */
    always: (reply: StubReply, path: string = STUB_PATHS.chat) => void always.set(path, reply),
    /** Lets a step `hold` continue, or the next one when none waits. */
    release: () => void events.emit('released', (gate.released += 1)),
    /** Resolves with the request of this number (0: the first) to a path, when it has arrived; default: the chat. */
    async request(index: number, path: string = STUB_PATHS.chat): Promise<StubRequest> {
      for (;;) {
        const request = requests.filter((other) => other.path === path)[index];
        if (request !== undefined) return request;
        await once(events, 'request');
      }
    },
    async stop() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** The public service repeats the key in its message: it must not reach the person. */
const wrongKey = (authorization = '') =>
  failure(401, `Incorrect API key provided: ${authorization.slice('Bearer '.length)}.`);

async function requestOf(incoming: IncomingMessage, response: ServerResponse): Promise<StubRequest> {
  const isComplete = once(response, 'close').then(() => response.writableFinished);
  const body = await buffer(incoming);
  const json = tryParseJson(body.toString('utf8'));
  return { path: incoming.url ?? '', headers: incoming.headers, json, body, isComplete };
}

function wishesOf(json: unknown) {
  const { model = '', stream_options: options } = Object(json);
  return { model: String(model), wantsUsage: options?.include_usage === true };
}

/**
 * A step of a streamed reply: a string is one chunk with that text.
 *
 * - `reasoning`: one chunk with this text in the field `reasoning_content`.
 * - `event`: an event with this JSON; `raw`: these bytes, as they are.
 * - `pauseMs`: a pause; `hold`: a pause until `release()` of the stub.
 */
export type StubStep =
  | string
  | { readonly event: object }
  | { readonly raw: string | Uint8Array }
  | { readonly pauseMs: number }
  | { readonly hold: true };

/** A reply that streams an answer in the public format: 200 and `text/event-stream`. */
interface StubStream {
  readonly steps: readonly StubStep[];
  /** `done` (default): the finish reason, the usage (10 and one for each step) if requested, `[DONE]`; `close`: none of these; `cut`: a reset. */
  readonly end?: 'done' | 'close' | 'cut' | 'stall';
  /** Is called with each step when its bytes have been written. */
  readonly onSent?: (step: StubStep) => void;
}

/** A reply that is not a stream: an object is sent as JSON. Without a body, the stub never answers. */
interface StubResponse {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** How the stub replies to one request. */
export type StubReply = StubStream | StubResponse;

/** Returns a failure in the public format. */
export const failure = (status: number, message: string) => ({ status, body: { error: { message } } });

interface Context {
  readonly model: string;
  readonly wantsUsage: boolean;
  readonly held: () => Promise<void>;
}

async function writeReply(response: ServerResponse, reply: StubReply, context: Context): Promise<void> {
  if ('steps' in reply) return writeStream(response, reply, context);
  const { status = 200, headers = {}, body } = reply;
  if (body === undefined) return;
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

async function writeStream(response: ServerResponse, stream: StubStream, context: Context): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await write(response, chunkOf(context.model, { role: 'assistant', content: '' }));
  for (const step of stream.steps) {
    if (typeof step === 'object' && 'pauseMs' in step) await pause(step.pauseMs);
    else if (typeof step === 'object' && 'hold' in step) await context.held();
    else await write(response, bytesOf(step, context.model));
    if (response.destroyed) return;
    stream.onSent?.(step);
  }
  const { end = 'done', steps } = stream;
  if (end === 'done') {
    await write(response, chunkOf(context.model, {}, 'stop'));
    const usage = { prompt_tokens: 10, completion_tokens: steps.length };
    if (context.wantsUsage) await write(response, eventOf({ ...frame(context.model, []), usage }));
    await write(response, 'data: [DONE]\n\n');
  }
  if (end === 'cut') response.socket?.resetAndDestroy();
  else if (end !== 'stall') response.end();
}

function bytesOf(step: Exclude<StubStep, { pauseMs: number } | { hold: true }>, model: string) {
  if (typeof step === 'string') return chunkOf(model, { content: step });
  return 'event' in step ? eventOf(step.event) : step.raw;
}

/** Resolves when the system has taken the bytes, so that two writes are two packets. */
const write = (response: ServerResponse, bytes: string | Uint8Array) =>
  new Promise<void>((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_760_000_000 };
const frame = (model: string, choices: readonly object[]) => ({ ...HEAD, model, choices });

const chunkOf = (model: string, delta: object, finishReason: string | null = null) =>
  eventOf(frame(model, [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]));

const eventOf = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
