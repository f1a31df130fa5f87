import type { HttpContent, RecordContent } from './recordContent.ts';
import { isTextual } from './pieces.ts';
import { type Exchange, nameOf, recordResponse } from './recordedResponse.ts';
import type { Recording } from './recordedSocket.ts';

/** A function with the interface of `fetch`. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Returns a `fetch` that behaves as the given one, and records requests and answers. An answer is recorded as the app reads it. */
export function recordedFetch(fetch: FetchFunction, recording: Recording): FetchFunction {
  const { journal } = recording;
  return async (input, init) => {
    const id = recording.nextRequest();
    const of = (content: HttpContent): RecordContent => ({ type: 'http', id, ...content });
    const exchange: Exchange = { recording, of, add: (content) => journal.add(of(content)) };
    journal.quietly(() => recordRequest(exchange, input, init));
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      journal.quietly(() => exchange.add({ error: nameOf(error) }));
      throw error;
    }
    journal.quietly(() => recordResponse(exchange, response));
    return response;
  };
}

function recordRequest(exchange: Exchange, input: string | URL | Request, init: RequestInit = {}): void {
  const { mask, journal } = exchange.recording;
  const request = input instanceof Request ? input : undefined;
  const method = (init.method ?? request?.method ?? 'GET').toUpperCase();
  const url = mask.url(typeof input === 'string' || input instanceof URL ? String(input) : input.url);
  const record = (body?: string): RecordContent =>
    exchange.of({ request: { method, url, ...(body !== undefined && { body: mask.body(body) }) } });
  const { body } = init;
  if (typeof body === 'string' || body instanceof URLSearchParams) journal.add(record(String(body)));
  else if (body === undefined && isTextual(request?.headers.get('content-type')) && request?.body) {
    const slot = journal.reserve();
    const complete = (text?: string): void => slot.complete(record(text));
    request
      .clone()
      .text()
      .then(complete, () => complete());
  } else journal.add(record());
}
