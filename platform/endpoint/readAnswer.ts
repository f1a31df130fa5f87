import { type ParseError, createParser } from 'eventsource-parser';
import { z } from 'zod';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import { type AnswerPart, type EndReason, EndpointError, type Usage } from './endpoint.ts';
import { createThinkSplitter } from './createThinkSplitter.ts';

/** Maximum length of a line, in characters. */
const MAX_LINE = 1_000_000;

/**
 * Reads a stream of server-sent events as the parts of an answer. The last part is `end`; what follows `[DONE]` is not read.
 * @throws {EndpointError}
 */
export async function* readAnswer(
  bytes: AsyncIterable<Uint8Array>,
  failures: AnswerFailures,
): AsyncGenerator<AnswerPart, void, void> {
  const reader = createAnswerReader(failures);
  const events = createEvents(failures);
  const decoder = new TextDecoder();
  try {
    for await (const chunk of bytes) {
      yield* takeAll(reader, events.feed(decoder.decode(chunk, { stream: true })));
      if (reader.isDone) break;
    }
  } catch (error) {
    // The finish reason was the last that matters: usage and [DONE] may be missing.
    if (!reader.isComplete) throw error;
  }
  if (!reader.isComplete) yield* takeLast(reader, events, failures);
  yield* reader.end();
}

function* takeAll(reader: AnswerReader, events: readonly string[]): Generator<AnswerPart> {
  for (const event of events) yield* reader.take(event);
}

/** Takes an event without the empty line that should follow it. */
function* takeLast(reader: AnswerReader, events: Events, failures: AnswerFailures): Generator<AnswerPart> {
  const last = events.feed('\n\n');
  try {
    yield* takeAll(reader, last);
  } catch (error) {
    if (!(error instanceof EndpointError && error.kind === 'broken')) throw error;
  }
  if (reader.isComplete) return;
  throw events.isGarbage() ? failures.broken('something other than a stream of events') : failures.cut();
}

/** Returns the frame of an event that is called an error, whatever its data are. */
function asError(data: string): string {
  const json = tryParseJson(data);
  return isJsonObject(json) && 'error' in json ? data : JSON.stringify({ error: json ?? data });
}

/** The events of a stream. */
interface Events {
  /**
   * Returns the data of the events that end in this text.
   * @throws {EndpointError} for a line over 1 MB.
   */
  feed(text: string): string[];
  /** Whether there were lines, and no event. */
  isGarbage(): boolean;
}

function createEvents({ broken }: AnswerFailures): Events {
  let found: string[] = [];
  let hasEvents = false;
  let hasOtherLines = false;
  let isTooLong = false;
  const onError = ({ type, field, value, line = '' }: ParseError) => {
    isTooLong ||= type === 'max-buffer-size-exceeded';
    hasOtherLines ||= type === 'unknown-field';
    // llama.cpp reported errors in a field of their own.
    if (type === 'unknown-field' && field === 'error') found.push(`{"error":${value}}`);
    // Servers that find an error after the first chunk may write it without an event around it.
    if (type === 'unknown-field' && line.startsWith('{"error":')) found.push(line);
  };
  const onEvent = ({ event, data }: { event?: string | undefined; data: string }) => {
    hasEvents = true;
    found.push(event === 'error' ? asError(data) : data);
  };
  const parser = createParser({ maxBufferSize: MAX_LINE, onEvent, onError });
  return {
    feed(text) {
      found = [];
      parser.feed(text);
      if (isTooLong) throw broken('a line of more than 1 MB');
      return found;
    },
    isGarbage: () => hasOtherLines && !hasEvents,
  };
}

/** Makes the errors of an answer. */
export interface AnswerFailures {
  /** The answer is not in the public format; `what` continues "The server sent …". */
  readonly broken: (what: string) => EndpointError;
  readonly cut: () => EndpointError;
  /** The endpoint reported this error in the middle of the answer. */
  readonly reported: (error: unknown) => EndpointError;
}

/** Converts the frames of one answer to its parts. */
interface AnswerReader {
  /**
   * Takes the JSON of a frame.
   * @throws {EndpointError}
   */
  take(json: string): AnswerPart[];
  /** Whether `[DONE]` was received: what follows is ignored. */
  readonly isDone: boolean;
  /** Whether the answer is complete: it has a finish reason, or `[DONE]`. */
  readonly isComplete: boolean;
  /** Returns the last parts of a complete answer. */
  end(): AnswerPart[];
}

const DONE = '[DONE]';
/** Maximum length of an answer with its reasoning, in characters. A window that shows 2,000,000 at once is busy for half a minute. */
const MAX_ANSWER = 500_000;

const REASONS: Readonly<Record<string, EndReason>> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'filtered',
  tool_calls: 'tool',
  function_call: 'tool',
};

/** Creates a reader for one answer. */
export function createAnswerReader(failures: AnswerFailures): AnswerReader {
  const splitter = createThinkSplitter();
  let length = 0;
  let finishReason: string | null = null;
  let usage: Usage | null = null;
  let isDone = false;
  let hasToolCall = false;

  const takeFrame = (frame: AnswerFrame): AnswerPart[] => {
    const { error, thought, text, isToolCall, finishReason: reason } = readFrame(frame);
    if (error !== null) throw failures.reported(error);
    hasToolCall ||= isToolCall;
    const { usage: tokens } = frame;
    if (tokens) usage = { promptTokens: tokens.prompt_tokens, answerTokens: tokens.completion_tokens };
    finishReason = reason ?? finishReason;
    length += thought.length + text.length;
    if (length > MAX_ANSWER) throw failures.broken('an answer of more than 500,000 characters');
    if (thought === '') return splitter.take(text);
    splitter.expectNoReasoning();
    return [{ kind: 'reasoning', text: thought }, ...splitter.take(text)];
  };

  /** Some servers end a request for a tool as any other answer. */
  const endReason = (): EndReason => {
    const reason = REASONS[finishReason ?? 'stop'] ?? 'other';
    return hasToolCall && reason === 'stop' ? 'tool' : reason;
  };

  return {
    take(json) {
      if (isDone) return [];
      isDone = json.trim() === DONE;
      if (isDone) return [];
      const { data } = answerFrameSchema.safeParse(tryParseJson(json));
      if (data === undefined) throw failures.broken('a frame that is not in the public format');
      return takeFrame(data);
    },
    get isDone() {
      return isDone;
    },
    get isComplete() {
      return isDone || finishReason !== null;
    },
    end: () => [
      ...splitter.end(),
      ...(usage === null ? [] : [{ kind: 'usage' as const, usage }]),
      { kind: 'end', reason: endReason() },
    ],
  };
}

/** What a frame adds to an answer. */
interface FrameContents {
  readonly thought: string;
  readonly text: string;
  /** Whether the model asks for a tool. */
  readonly isToolCall: boolean;
  /** `null` while the answer runs, for which some servers send an empty reason. */
  readonly finishReason: string | null;
  /** What the endpoint reports; `null` for no error. */
  readonly error: unknown;
}

/** Reads a frame. Its reasoning can be in one of several fields, also beside an empty one. */
function readFrame(frame: AnswerFrame): FrameContents {
  const [choice] = frame.choices ?? [];
  const said = choice?.delta ?? choice?.message ?? {};
  const { refusal, reasoning_content, reasoning } = said;
  // Completions without chat, and some proxies, have `text` in place of `content`.
  const content = said.content ?? said.text ?? choice?.text;
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? []);
  const thoughts = parts.map((part) => ('thinking' in part ? thinkingOf(part.thinking) : ''));
  return {
    thought: `${reasoning_content || reasoning || ''}${thoughts.join('')}`,
    text: `${parts.map(({ text }) => text ?? '').join('')}${refusal ?? ''}`,
    isToolCall: (said.tool_calls?.length ?? 0) > 0 || (said.function_call ?? null) !== null,
    finishReason: choice?.finish_reason || null,
    error: errorOf(frame),
  };
}

type Content = NonNullable<NonNullable<AnswerFrame['choices']>[number]['delta']>['content'];
type Thinking = Exclude<Content, string | null | undefined>[number]['thinking'];

const thinkingOf = (thinking: Thinking): string =>
  typeof thinking === 'string' ? thinking : (thinking ?? []).map(({ text }) => text ?? '').join('');

function errorOf({ error, object, message, code }: AnswerFrame): unknown {
  if (error !== undefined && error !== null) return error;
  return object === 'error' ? { message, code } : null;
}

const text = z.string().nullish();

/** A part of a text that some services send as a list: what is neither text nor reasoning has no words. */
const partSchema = z.object({
  text,
  thinking: z.union([z.string(), z.array(z.object({ text }))]).nullish(),
});

const deltaSchema = z.object({
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  text,
  refusal: text,
  tool_calls: z.array(z.unknown()).nullish().catch(null),
  function_call: z.unknown().optional(),
  reasoning_content: text,
  reasoning: text,
});

const usageSchema = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });

/**
 * A frame of the public format: a chunk of a stream (`delta`), or a complete answer (`message`). Other fields are ignored. The
 * last chunk of a stream can have no choices, and an error can come in the middle of a stream: as `error`, or as an `object` of
 * that name.
 */
const answerFrameSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: deltaSchema.nullish(),
        message: deltaSchema.nullish(),
        text,
        finish_reason: text.catch(null),
      }),
    )
    .nullish(),
  usage: usageSchema.nullish().catch(null),
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  message: z.unknown().optional(),
  code: z.unknown().optional(),
});

/** A frame of an answer. */
type AnswerFrame = z.infer<typeof answerFrameSchema>;
