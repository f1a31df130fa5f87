import { z } from 'zod';
import { tryParseJson } from '#shared/json.ts';
import { EndpointError, type EndpointErrorKind } from './endpoint.ts';

/** A response that is a failure. */
interface FailedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The request that failed. */
export interface FailedRequest {
  readonly url: URL;
  readonly key: string | null;
  /** `null`: the request names none. */
  readonly model: string | null;
  readonly hasImages: boolean;
  /** What to do after a failure that may pass. */
  readonly advice: string;
}

const SETTINGS = 'in Settings › Assistant';

const CONTEXT =
  /context_length_exceeded|exceed_context_size|context_(?:window_)?exceeded|maximum context length|maximum prompt length|exceed\w*[^.]{0,60}\bcontext\b|\bcontext (?:size|length|window)\b[^.]{0,60}exceed|longer than the (?:model's )?(?:maximum )?(?:context|model length)|context (?:the )?overflows|context length of only|exceeds? the maximum (?:(?:allowed|input) )*(?:length|number of tokens)|`inputs` tokens|(?:prompt|input) (?:length )?is too (?:long|large)|prompt too long|too many (?:input |prompt )?tokens/i;
const IMAGE = /\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj/i;
const MODEL_CODE = 'model_not_found';
const NO_MODEL =
  /\bmodel\b[^.\n]{0,200}?(?:not found|does not exist|not exist|not a valid|not available|is unknown|try pulling)|(?:invalid|unknown|no such|unsupported) model|not a valid model/i;

/** What llama.cpp (“Loading model”), TGI and Hugging Face (“Model … is currently loading”) say with a 503. */
const LOADING =
  /\bload(?:ing|s) (?:the )?model\b|\bmodel\b[^\n]{0,200}\b(?:is|still) (?:currently |being )?load(?:ing|ed)\b/i;
/** The wait for a server that loads the model, if it does not say how long, in seconds. */
const LOADING_S = 5;

const codeSchema = z.object({ error: z.object({ code: z.union([z.string(), z.number()]) }) });

/** The kinds that a response can report. */
type ResponseKind = Extract<
  EndpointErrorKind,
  | 'unauthorized'
  | 'rateLimited'
  | 'loading'
  | 'contextTooLong'
  | 'tooLarge'
  | 'unsupported'
  | 'unknownModel'
  | 'failed'
  | 'rejected'
>;

/** Converts a response to the error that it reports. */
export function responseError(response: FailedResponse, request: FailedRequest): EndpointError {
  const kind = kindOf(response, request);
  const retryAfterS = secondsToWait(kind, response);
  return new EndpointError(kind, textOf(kind, response, { ...request, retryAfterS }), retryAfterS);
}

/** Returns how long to wait before the next request, if a server says so, or says that it loads the model. */
function secondsToWait(kind: ResponseKind, { status, headers }: FailedResponse): number | undefined {
  if (kind === 'loading') return retryAfter(headers) ?? LOADING_S;
  return kind === 'rateLimited' || status === 503 ? retryAfter(headers) : undefined;
}

function kindOf({ status, body }: FailedResponse, { hasImages, model }: FailedRequest): ResponseKind {
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 429) return 'rateLimited';
  if (status === 503 && LOADING.test(body)) return 'loading';
  if (CONTEXT.test(body)) return 'contextTooLong';
  if (status === 413) return hasImages ? 'tooLarge' : 'contextTooLong';
  if (hasImages && IMAGE.test(body)) return 'unsupported';
  if (model !== null && status < 500 && isModelUnknown(body)) return 'unknownModel';
  return status >= 500 ? 'failed' : 'rejected';
}

function isModelUnknown(body: string): boolean {
  const { data } = codeSchema.safeParse(tryParseJson(body));
  return data?.error.code === MODEL_CODE || NO_MODEL.test(body);
}

interface Words extends FailedRequest {
  readonly retryAfterS: number | undefined;
}

/** Returns what happened and what to do. */
function textOf(kind: ResponseKind, response: FailedResponse, words: Words): string {
  const { url, key, model, advice, retryAfterS } = words;
  const { origin } = url;
  const text = endpointText(response.body, key);
  const said = text === '' ? '.' : `: “${text}”${/[.!?…]$/.test(text) ? '' : '.'}`;
  const wait = retryAfterS === undefined ? 'a while' : duration(retryAfterS);
  const texts: Readonly<Record<ResponseKind, string>> = {
    unauthorized: unauthorizedText(response.status, origin, { key, said }),
    rateLimited: `${origin} limits the requests${said} Wait ${wait}, then try again.`,
    loading: `${origin} still loads the model${said} ${advice}`,
    contextTooLong: `The conversation is too long for the model${said} Send a shorter message, or choose a model with a larger context window.`,
    tooLarge: `The pictures are too large for ${origin}${said} Send a smaller one.`,
    unsupported: `The model${named(model)} accepts no pictures. Choose another ${SETTINGS}, or describe the picture in words.`,
    unknownModel: `${origin} has no model${named(model)}. Choose another ${SETTINGS}, or install it on the server.`,
    failed: `${origin} failed (${response.status})${said} ${advice}`,
    rejected: rejectedText(response, words, said),
  };
  return texts[kind];
}

const named = (model: string | null) => (model === null ? '' : ` “${model}”`);

function unauthorizedText(
  status: number,
  origin: string,
  { key, said }: { key: string | null; said: string },
): string {
  if (status === 403) {
    const check =
      key === null ? 'Check the address and the model, or add a key' : 'Check the key and the model';
    return `${origin} does not allow the request (403)${said} ${check} ${SETTINGS}.`;
  }
  // The words of a 401 repeat the key in ways that no filter knows.
  return key === null
    ? `${origin} needs a key (401). Add it ${SETTINGS}.`
    : `${origin} does not accept the key (401). Correct it ${SETTINGS}.`;
}

function rejectedText(
  { status, headers }: FailedResponse,
  { url, key }: FailedRequest,
  said: string,
): string {
  const { origin, pathname } = url;
  const { location = '' } = headers;
  if (status < 400) {
    const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
    const to = target === null ? 'elsewhere' : `to ${withoutKeys(`${target.origin}${target.pathname}`, key)}`;
    return `${origin} redirects ${to}, and the key is not sent there. Change the address ${SETTINGS}.`;
  }
  if ([404, 405, 501].includes(status))
    return `${origin} has nothing at ${pathname} (${status}). Check the address ${SETTINGS}: it usually ends with /v1.`;
  return `${origin} rejected the request (${status})${said} Check the address and the model ${SETTINGS}.`;
}

/** Returns a time in words: `1 second`, `2 minutes`. */
export const duration = (seconds: number) =>
  seconds < 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`;

const MAX_TEXT = 300;
/** Parts of a key of this length are not shown either: services repeat a key with its middle hidden. */
const KEY_PART = 6;
const HIDDEN = '•••';
/** What keys of public services look like. */
const ANY_KEY = /\b(?:Bearer\s+\S+|(?:sk|pk|rk|gsk|hf|xai|key|api)[-_][\w*.-]{6,})/gi;

const messageSchema = z.union([
  z.string(),
  z.object({ message: z.string() }).transform((error) => error.message),
]);
const saidSchema = z.union([
  z.object({ error: messageSchema }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z
    .object({ detail: z.array(z.object({ msg: z.string() })) })
    .transform(({ detail }) => detail[0]?.msg ?? ''),
]);

/**
 * Returns the endpoint's own words about a failure for the person: one line of at most 300 characters, without keys; empty when
 * the body has none, such as a web page.
 */
export function endpointText(body: string, key: string | null): string {
  const { data } = saidSchema.safeParse(tryParseJson(body));
  return clip(withoutKeys(oneLine(data ?? plainText(body)), key));
}

/** Returns a text without the key, its parts, and anything else that looks like a key. */
function withoutKeys(text: string, key: string | null): string {
  const shown = text.replace(ANY_KEY, HIDDEN);
  if (key === null || key === '') return shown;
  return shown.replaceAll(key, HIDDEN).replace(/\S+/g, (word) => (containsPart(word, key) ? HIDDEN : word));
}

function containsPart(word: string, key: string): boolean {
  for (let at = 0; at + KEY_PART <= key.length; at++)
    if (word.includes(key.slice(at, at + KEY_PART))) return true;
  return false;
}

const plainText = (body: string) => (/^\s*[<{[]/.test(body) ? '' : body);

const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();

function clip(text: string): string {
  const characters = Array.from(text);
  return characters.length <= MAX_TEXT ? text : `${characters.slice(0, MAX_TEXT - 1).join('')}…`;
}

const WHOLE_SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Returns the seconds that a response asks to wait, from its `Retry-After`: a number, or a date, which is compared with the
 * response's own date. Returns `undefined` when it asks for nothing that can be read.
 */
function retryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim() ?? '';
  if (WHOLE_SECONDS.test(value)) return Math.ceil(Number(value));
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.date ?? '');
  return Math.max(0, Math.ceil((until - (Number.isNaN(sent) ? Date.now() : sent)) / 1000));
}
