import { tryParseJson } from '#shared/json.ts';
import type { EndpointRequest, Send } from './createConnection.ts';
import { EndpointError } from './endpoint.ts';
import type { EndpointSettings } from './endpointSettings.ts';
import { type FailedRequest, responseError } from './responseError.ts';

/** Maximum size of a body that is read at once. */
export const MAX_BODY = 4_000_000;
/** The part of a failure's body that is read. */
export const MAX_FAILURE = 64_000;

/** What to do after a failure that may pass. */
const TRY_AGAIN = 'Try again.';

/** Who sends, and with which settings. */
export interface Client {
  readonly send: Send;
  readonly settings: EndpointSettings;
}

/** Returns the address of a route of the endpoint. */
export const routeOf = ({ url }: EndpointSettings, route: string): URL => new URL(`${url}${route}`);

/** Returns what a failure's message needs to know about a request. */
export const describe = (
  { key }: EndpointSettings,
  request: Pick<FailedRequest, 'url' | 'advice'> & Partial<FailedRequest>,
): FailedRequest => ({ key, model: null, hasImages: false, ...request });

/** A complete answer. */
export interface Answer {
  readonly body: string;
  /** Its media type; empty when it has none. */
  readonly type: string;
}

/**
 * Requests an answer that is read at once.
 * @throws {EndpointError} also for a failure's status.
 */
export async function requestBody(
  { send, settings }: Client,
  request: Omit<EndpointRequest, 'advice'>,
): Promise<Answer> {
  const { status, headers, bytes } = await send({ ...request, advice: () => TRY_AGAIN });
  const isOk = status >= 200 && status < 300;
  const body = await readBody(bytes, isOk ? MAX_BODY : MAX_FAILURE);
  if (!isOk)
    throw responseError(
      { status, headers, body },
      describe(settings, { url: request.url, advice: TRY_AGAIN }),
    );
  return { body, type: headers['content-type'] ?? '' };
}

/**
 * Requests a JSON value.
 * @throws {EndpointError}
 */
export async function requestJson(
  client: Client,
  request: Omit<EndpointRequest, 'advice'>,
): Promise<unknown> {
  const { body } = await requestBody(client, request);
  const json = tryParseJson(body);
  if (json === undefined) throw brokenAnswer(request.url, 'something other than JSON');
  return json;
}

/** The advice when nothing of an answer is in the public format. */
const CHECK_ADDRESS = 'Check the address in Settings › Assistant: it usually ends with /v1.';

/** Returns the error for an answer that is not in the public format; `what` continues "The server sent …". */
export const brokenAnswer = ({ origin }: URL, what: string, advice = CHECK_ADDRESS) =>
  new EndpointError('broken', `The server at ${origin} sent ${what}. ${advice}`);

/** Reads a body as text, at most `maxBytes` of it. */
export async function readBody(
  bytes: AsyncGenerator<Uint8Array, void, void>,
  maxBytes: number,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes);
}
