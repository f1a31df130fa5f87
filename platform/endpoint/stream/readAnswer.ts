import { type ParseError, createParser } from 'eventsource-parser';
import { isJsonObject } from '#shared/isJsonObject.ts';
import { tryParseJson } from '#shared/tryParseJson.ts';
import type { AnswerPart } from '../endpoint.ts';
import { EndpointError } from '../endpointError.ts';
import { type AnswerFailures, type AnswerReader, createAnswerReader } from './createAnswerReader.ts';

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
