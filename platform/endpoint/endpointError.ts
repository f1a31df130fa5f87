/**
 * What went wrong with an endpoint.
 *
 * - `refused`: no server answers at the address. `notFound`: no host has the name.
 * - `unauthorized`: 401, 403. `unknownModel`: the endpoint does not have the model. `rateLimited`: 429. `failed`: 5xx.
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
  /** The time in seconds that the endpoint asks to wait; of the kind `rateLimited` only. */
  readonly retryAfterS?: number;

  constructor(kind: EndpointErrorKind, message: string, retryAfterS?: number) {
    super(message);
    this.kind = kind;
    if (retryAfterS !== undefined) this.retryAfterS = retryAfterS;
  }
}
