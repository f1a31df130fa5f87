import type { Clock } from '#shared/clock.ts';
import { tryParseJson } from '#shared/json.ts';
import { type EndpointResponse, IDLE_MS, startIdleTimer } from './createConnection.ts';
import type { Models } from './createModels.ts';
import {
  type AnswerPart,
  type ChatContent,
  type ChatMessage,
  type Endpoint,
  EndpointError,
  type EndpointErrorKind,
} from './endpoint.ts';
import {
  type Client,
  MAX_BODY,
  MAX_FAILURE,
  brokenAnswer,
  describe,
  readBody,
  routeOf,
} from './requestJson.ts';
import { type FailedRequest, duration, responseError } from './responseError.ts';
import { type AnswerFailures, createAnswerReader, readAnswer } from './readAnswer.ts';

/** What an endpoint accepts beside the messages. */
interface Dialect {
  readonly usage: boolean;
  /** Whether the model has a system prompt. */
  readonly system: boolean;
  readonly limit: 'max_tokens' | 'max_completion_tokens';
}

/** One answer to request. */
interface Question {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number | undefined;
  readonly signal: AbortSignal;
  /** Whether a part of the answer has arrived. */
  readonly hasBegun: () => boolean;
  /** Returns the time after which a silent server has failed. */
  readonly idleMs: () => number;
  /** What the person can do when the answer is lost. */
  readonly advice: () => string;
}

const AGAIN = 'Send “again” to repeat the question.';
const CONTINUE = 'Send “continue” for the rest.';

/** The default time for the first part: a model must be loaded, and read a long conversation. */
const FIRST_BYTE_S = 600;
/** Servers with a queue send comments while they wait, which keeps the connection alive. This is the maximum time between two parts. */
const SILENT_MS = 300_000;

/** Creates the chat of an endpoint. */
export function createChat(client: Client, models: Models, clock: Clock): Endpoint['chat'] {
  const known: Known = { dialect: { usage: true, system: true, limit: 'max_tokens' } };
  return async function* chat(messages, { signal: stop, maxTokens }) {
    let hasBegun = false;
    const advice = () => (hasBegun ? CONTINUE : AGAIN);
    const firstMs = (client.settings.firstByteS ?? FIRST_BYTE_S) * 1000;
    const silentMs = () => (hasBegun ? SILENT_MS : firstMs);
    const idleMs = () => (hasBegun ? IDLE_MS : firstMs);
    const silent = new AbortController();
    const timer = startIdleTimer(clock, silentMs, () => silent.abort());
    const signal = AbortSignal.any([stop, silent.signal]);
    try {
      const model = client.settings.model ?? (await models.inUse(signal)).id;
      const question: Question = {
        model,
        messages,
        maxTokens,
        signal,
        hasBegun: () => hasBegun,
        idleMs,
        advice,
      };
      for await (const part of streamAnswer(client, question, known)) {
        hasBegun = true;
        timer.stop();
        yield part;
        timer.touch();
      }
    } catch (error) {
      models.forget();
      if (stop.aborted) throw stop.reason;
      throw silent.signal.aborted ? silentError(client, silentMs(), advice()) : error;
    } finally {
      timer.stop();
    }
  };
}

const silentError = ({ settings }: Client, ms: number, advice: string) =>
  new EndpointError(
    'stalled',
    `${new URL(settings.url).origin} sent nothing of the answer for ${duration(ms / 1000)}. ${advice}`,
  );

/** What was learned about an endpoint. */
interface Known {
  dialect: Dialect;
}

/** Streams an answer. A server that writes the refusal of a system prompt into the stream is asked again without one. */
async function* streamAnswer(client: Client, question: Question, known: Known): AsyncGenerator<AnswerPart> {
  for (let hasBegun = false; ;) {
    const { dialect, response } = await openAnswer(client, question, known.dialect);
    known.dialect = dialect;
    try {
      for await (const part of partsOf(response, failuresOf(client, question))) {
        hasBegun = true;
        yield part;
      }
      return;
    } catch (error) {
      const isRefusal = error instanceof EndpointError && refusesSystem(error.message);
      if (hasBegun || !isRefusal || !known.dialect.system) throw error;
      known.dialect = { ...known.dialect, system: false };
    }
  }
}

/**
 * Requests an answer. An endpoint that rejects an addition to the format is asked again without it.
 * @throws {EndpointError}
 */
async function openAnswer(
  client: Client,
  question: Question,
  dialect: Dialect,
): Promise<{ response: EndpointResponse; dialect: Dialect }> {
  const url = routeOf(client.settings, '/chat/completions');
  const { signal, idleMs, advice } = question;
  const response = await client.send({ url, signal, idleMs, advice, body: bodyOf(question, dialect) });
  if (response.status >= 200 && response.status < 300) return { response, dialect };
  const { status, headers, bytes } = response;
  const body = await readBody(bytes, MAX_FAILURE);
  const error = responseError({ status, headers, body }, describeQuestion(client, question));
  const simpler = simplerDialect(dialect, error.kind, { status, body });
  if (simpler === null) throw error;
  return openAnswer(client, question, simpler);
}

const describeQuestion = ({ settings }: Client, { model, messages, advice }: Question): FailedRequest =>
  describe(settings, {
    url: routeOf(settings, '/chat/completions'),
    model,
    hasImages: messages.some(
      ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image_url'),
    ),
    advice: advice(),
  });

/** Returns what to try after a request was rejected; `null` when nothing is left. */
function simplerDialect(
  dialect: Dialect,
  kind: EndpointErrorKind,
  { status, body }: { readonly status: number; readonly body: string },
): Dialect | null {
  if (kind !== 'rejected' && kind !== 'failed') return null;
  if (dialect.system && refusesSystem(body)) return { ...dialect, system: false };
  if (status !== 400 && status !== 422) return null;
  if (dialect.limit === 'max_tokens' && body.includes('max_completion_tokens'))
    return { ...dialect, limit: 'max_completion_tokens' };
  return dialect.usage ? { ...dialect, usage: false } : null;
}

const bodyOf = ({ model, messages, maxTokens }: Question, { usage, limit, system }: Dialect) => ({
  model,
  messages: system ? messages : withoutSystem(messages),
  stream: true,
  ...(usage ? { stream_options: { include_usage: true } } : {}),
  ...(maxTokens === undefined ? {} : { [limit]: maxTokens }),
});

function failuresOf(client: Client, question: Question): AnswerFailures {
  const url = routeOf(client.settings, '/chat/completions');
  return {
    broken: (what) => brokenAnswer(url, what, question.hasBegun() ? CONTINUE : undefined),
    cut: () =>
      new EndpointError(
        'cut',
        `The connection to ${url.origin} ended before the answer did. ${question.advice()}`,
      ),
    reported: (error) => reportedError(error, describeQuestion(client, question)),
  };
}

/** Converts an error in the middle of an answer, as if it were the response. */
function reportedError(error: unknown, request: FailedRequest): EndpointError {
  const code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : 500;
  const status = code >= 400 && code < 600 ? code : 500;
  return responseError({ status, headers: {}, body: JSON.stringify({ error }) }, request);
}

/** Matches the beginning of a stream of events, which some proxies send with another media type. */
const EVENT = /^\s*(?:data:|event:|:)/;

async function* streamOf(body: string) {
  yield Buffer.from(body);
}

/** Reads the answer as a stream of events, or as one JSON object from an endpoint that does not stream. */
async function* partsOf(
  { headers, bytes }: EndpointResponse,
  failures: AnswerFailures,
): AsyncGenerator<AnswerPart, void, void> {
  const type = headers['content-type'] ?? '';
  if (!/^(?:application\/json|text\/html)\b/i.test(type)) {
    yield* readAnswer(bytes, failures);
    return;
  }
  const body = await readBody(bytes, MAX_BODY);
  if (tryParseJson(body) === undefined) {
    if (!EVENT.test(body)) throw failures.broken('a page instead of an answer');
    yield* readAnswer(streamOf(body), failures);
    return;
  }
  const reader = createAnswerReader(failures);
  yield* reader.take(body);
  yield* reader.end();
}

/** What the templates of models without a system prompt say: Gemma 2, Mistral 7B and others. */
const REFUSAL =
  /system (?:role|message|prompt)s?\b[^.]{0,40}\bnot supported|not support[^.]{0,30}\bsystem (?:role|message|prompt)|only user(?:,| and|\/| or)[^.]{0,30}roles are supported|roles must alternate/i;

/** Returns whether the words of a failure say that the model has no system prompt. */
const refusesSystem = (words: string): boolean => REFUSAL.test(words);

/** Moves the system prompt into the first message of the person. */
export function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [system, first, ...others] = messages;
  if (system?.role !== 'system') return messages;
  if (first?.role !== 'user') return [{ ...system, role: 'user' }, ...messages.slice(1)];
  return [{ role: 'user', content: join(system.content, first.content) }, ...others];
}

type Content = ChatMessage['content'];

const join = (one: Content, other: Content): Content =>
  typeof one === 'string' && typeof other === 'string'
    ? `${one}\n\n${other}`
    : [...contentParts(one), ...contentParts(other)];

const contentParts = (content: Content): readonly ChatContent[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
