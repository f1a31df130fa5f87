import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { tryParseJson } from '#shared/json.ts';

/** A request that the stub received. */
export interface StubRequest {
  readonly method: string;
  /** The path with its query: `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The JSON of the body; `undefined` when it is not JSON. */
  readonly json: unknown;
  readonly body: Buffer;
  /** Resolves when the connection is closed or the reply complete: `false` when the client left before the end. */
  readonly isComplete: Promise<boolean>;
}

/** Reads a request to its end. */
export async function requestOf(incoming: IncomingMessage, response: ServerResponse): Promise<StubRequest> {
  const isComplete = new Promise<boolean>((resolve) => {
    response.on('close', () => resolve(response.writableFinished));
  });
  const body = await buffer(incoming);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    json: tryParseJson(body.toString('utf8')),
    body,
    isComplete,
  };
}

const wishesSchema = z.object({
  model: z.string(),
  stream_options: z.object({ include_usage: z.boolean() }).optional(),
});

/** Returns the model that a request names, and whether it asks for the usage. */
export function wishesOf(json: unknown): { model: string; wantsUsage: boolean } {
  const { data } = wishesSchema.safeParse(json);
  return { model: data?.model ?? '', wantsUsage: data?.stream_options?.include_usage === true };
}
