/** The records that a recorder writes, without their times (docs/captures.md). */
export type RecordContent =
  | (FrameContent & OfSocket)
  | ({ readonly type: 'open' } & OfSocket)
  | ({ readonly type: 'close'; readonly code: number; readonly reason: string } & OfSocket)
  | (HttpContent & { readonly type: 'http'; readonly id: number })
  | { readonly type: 'action'; readonly action: object }
  | { readonly type: 'gap'; readonly lost: number }
  | { readonly type: 'end' };

/** The number of the connection; absent for the first. */
type OfSocket = ReturnType<typeof ofSocket>;

/** Returns the field `socket` of a record. */
export const ofSocket = (number: number): { readonly socket?: number } =>
  number === 1 ? {} : { socket: number };

interface FrameContent {
  readonly type: 'recv' | 'send';
  readonly data: string;
  readonly encoding?: 'base64';
}

/** A body, or a piece of it: a text, or bytes in base64. */
export interface Body {
  readonly body: string;
  readonly encoding?: 'base64';
}

/** A part of an HTTP request and its answer. */
export type HttpContent =
  | { readonly request: { readonly method: string; readonly url: string; readonly body?: string } }
  | { readonly response: HttpResponse }
  | { readonly chunk: string; readonly encoding?: 'base64' }
  | { readonly end: true }
  | { readonly error: string };

/** An answer. Without a body, pieces of it follow. */
export interface HttpResponse extends Partial<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}
