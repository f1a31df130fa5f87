/** What an answer cost, in tokens. */
export interface Usage {
  readonly promptTokens: number;
  readonly answerTokens: number;
}

/** Why an answer ended: `length` is the limit of tokens, `filtered` a filter of contents, `tool` a request for a tool. */
export type EndReason = 'stop' | 'length' | 'filtered' | 'tool' | 'other';

/**
 * A part of a streamed answer. `text` contains the new characters only. `reasoningEnded`: all text before it was reasoning.
 */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'reasoningEnded' }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | { readonly kind: 'end'; readonly reason: EndReason };

/** A part of a message that contains more than text; the URL of an image is a `data:` URL. */
export type ChatContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A message of the conversation, as the endpoint gets it. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ChatContent[];
}

/** A model of the endpoint. */
export interface Model {
  readonly id: string;
  /** The size of its context window; `null` when the endpoint does not give it. */
  readonly contextTokens: number | null;
}

/** The options of one answer. */
interface ChatOptions {
  readonly signal: AbortSignal;
  /** The maximum length of the answer; the endpoint's own limit by default. */
  readonly maxTokens?: number;
}

/**
 * An OpenAI-compatible endpoint; `createEndpoint` makes one. Every function fails with an `EndpointError`, or with the
 * signal's reason after it was aborted.
 */
export interface Endpoint {
  /**
   * Streams an answer to these messages. Its last part is `end`, and before it at most one `usage`.
   * @throws {EndpointError}
   */
  chat(messages: readonly ChatMessage[], options: ChatOptions): AsyncIterable<AnswerPart>;
  /**
   * Returns the model in use: the setting's, or the endpoint's first.
   * @throws {EndpointError}
   */
  model(signal: AbortSignal): Promise<Model>;
  /**
   * Returns the models that the endpoint lists.
   * @throws {EndpointError}
   */
  models(signal: AbortSignal): Promise<readonly Model[]>;
  /**
   * Returns the words of a recording.
   * @throws {EndpointError} of the kind `unsupported` when the endpoint has no transcriptions.
   */
  transcribe(audio: Uint8Array, signal: AbortSignal): Promise<string>;
}

/**
 * What went wrong with an endpoint.
 *
 * - `refused`: no server answers at the address. `notFound`: no host has the name.
 * - `unauthorized`: 401, 403. `unknownModel`: the endpoint does not have the model. `rateLimited`: 429. `loading`: 503, the
 *   endpoint loads the model. `failed`: another 5xx.
 * - `stalled`: the endpoint sent nothing for too long. `cut`: the connection ended before the answer did.
 * - `broken`: the answer is not in the public format, or is too large. `tls`: the certificate or the encryption.
 * - `contextTooLong`: the conversation is longer than the model's context window.
 * - `tooLarge`: the request is larger than the endpoint accepts, and it has pictures.
 * - `unsupported`: the endpoint has no such function (transcriptions), or its model accepts no pictures.
 * - `rejected`: any other 3xx or 4xx.
 */
export type EndpointErrorKind =
  | 'refused'
  | 'notFound'
  | 'unauthorized'
  | 'unknownModel'
  | 'rateLimited'
  | 'loading'
  | 'failed'
  | 'stalled'
  | 'cut'
  | 'broken'
  | 'tls'
  | 'contextTooLong'
  | 'tooLarge'
  | 'unsupported'
  | 'rejected';

/**
 * A request to the endpoint failed. `message` is for the person: what happened and what to do. It never contains the key, and
 * there is no `cause`, because an HTTP client's error contains the request's headers.
 */
export class EndpointError extends Error {
  override readonly name = 'EndpointError';
  readonly kind: EndpointErrorKind;
  /** The time in seconds after which the request can be sent again, if the endpoint says so. */
  readonly retryAfterS?: number;

  constructor(kind: EndpointErrorKind, message: string, retryAfterS?: number) {
    super(message);
    this.kind = kind;
    if (retryAfterS !== undefined) this.retryAfterS = retryAfterS;
  }
}
