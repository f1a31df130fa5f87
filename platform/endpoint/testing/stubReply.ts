import type { ServerResponse } from 'node:http';
import type { Clock } from '#shared/clock.ts';

/**
 * A step of a streamed reply: a string is one chunk with that text.
 *
 * - `reasoning`: one chunk with this text in the field `reasoning_content`, or in another one.
 * - `delta`: one chunk with this `delta`; `event`: an event with this JSON; `raw`: these bytes, as they are.
 * - `pauseMs`: a pause; `hold`: a pause until `release()` of the stub.
 */
export type StubStep =
  | string
  | { readonly reasoning: string; readonly field?: 'reasoning_content' | 'reasoning' }
  | { readonly delta: object }
  | { readonly event: object }
  | { readonly raw: string | Uint8Array }
  | { readonly pauseMs: number }
  | { readonly hold: true };

/** A reply that streams an answer in the public format: 200 and `text/event-stream`. */
export interface StubStream {
  readonly steps: readonly StubStep[];
  /** A pause after each step. */
  readonly everyMs?: number;
  /**
   * How the reply ends: `done` (default) with a finish reason, the usage if it was requested, and `[DONE]`; `close` without any of
   * these; `cut` by resetting the connection; `stall` never.
   */
  readonly end?: 'done' | 'close' | 'cut' | 'stall';
  /** Default: `stop`. */
  readonly finishReason?: string;
  /** Default: 10 tokens of prompt, and one for each step. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
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
export const failure = (
  status: number,
  message: string,
  {
    headers = {},
    ...error
  }: { headers?: Record<string, string>; type?: string; code?: string | number } = {},
): StubResponse => ({ status, headers, body: { error: { message, ...error } } });

/** Splits a text into chunks of the size of tokens; together, they are the text. */
export const chunksOf = (text: string): string[] => text.match(/\s*\S{1,6}|\s+/gu) ?? [];

/** What a reply depends on. */
interface Context {
  readonly clock: Clock;
  readonly model: string;
  /** Whether the request asks for the usage. */
  readonly wantsUsage: boolean;
  /** Waits for `release()` of the stub. */
  readonly held: () => Promise<void>;
}

/** Writes a reply. Resolves when nothing more will be written. */
export async function writeReply(
  response: ServerResponse,
  reply: StubReply,
  context: Context,
): Promise<void> {
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
    const bytes = bytesOf(step, context.model);
    if (bytes === null) await pause(step, context);
    else await write(response, bytes);
    if (response.destroyed) return;
    stream.onSent?.(step);
    if (stream.everyMs !== undefined) await wait(context.clock, stream.everyMs);
  }
  await endStream(response, stream, context);
}

async function endStream(response: ServerResponse, stream: StubStream, context: Context): Promise<void> {
  const { end = 'done', finishReason = 'stop', steps } = stream;
  if (end === 'stall') return;
  if (end === 'cut') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (end === 'done') {
    await write(response, chunkOf(context.model, {}, finishReason));
    const usage = stream.usage ?? { prompt_tokens: 10, completion_tokens: steps.length };
    if (context.wantsUsage) await write(response, eventOf({ ...frame(context.model, []), usage }));
    await write(response, 'data: [DONE]\n\n');
  }
  response.end();
}

/** Returns the bytes of a step; `null` for a pause. */
function bytesOf(step: StubStep, model: string): string | Uint8Array | null {
  if (typeof step === 'string') return chunkOf(model, { content: step });
  if ('reasoning' in step)
    return chunkOf(model, { [step.field ?? 'reasoning_content']: step.reasoning, content: null });
  if ('delta' in step) return chunkOf(model, step.delta);
  if ('event' in step) return eventOf(step.event);
  return 'raw' in step ? step.raw : null;
}

function pause(step: StubStep, { clock, held }: Context): Promise<void> {
  return typeof step === 'object' && 'pauseMs' in step ? wait(clock, step.pauseMs) : held();
}

const wait = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

/** Resolves when the system has taken the bytes, so that two writes are two packets. */
const write = (response: ServerResponse, bytes: string | Uint8Array) =>
  new Promise<void>((resolve) => {
    if (response.destroyed) resolve();
    else response.write(bytes, () => resolve());
  });

const frame = (model: string, choices: readonly object[]) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model,
  choices,
});

const chunkOf = (model: string, delta: object, finishReason: string | null = null) =>
  eventOf(frame(model, [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]));

const eventOf = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
