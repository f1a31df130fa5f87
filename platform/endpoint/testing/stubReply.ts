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
