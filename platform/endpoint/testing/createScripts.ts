import { type StubReply, failure } from './stubReply.ts';
import type { IncomingMessage } from 'node:http';

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

/** The paths of the public format. */
export const STUB_PATHS = {
  chat: '/v1/chat/completions',
  models: '/v1/models',
  transcriptions: '/v1/audio/transcriptions',
} as const;

/** A reply, or a function that makes it. */
export type Reply = StubReply | ((request: StubRequest) => StubReply);

/** The stub's models, unless its options name others. */
export const DEFAULT_MODELS: readonly object[] = [
  { id: 'stub-model', object: 'model', created: 1_760_000_000, owned_by: 'stub', max_model_len: 8192 },
];

/** The replies that are set for the stub. */
interface Scripts {
  /** Sets the reply to the next request to a path that has none yet. */
  next(reply: Reply, path?: string): void;
  /** Sets the reply to every other request to a path. */
  always(reply: Reply, path?: string): void;
  /** Returns the reply to a request: 404 for an unknown path. */
  take(request: StubRequest): StubReply;
}

/** Creates the replies of a stub with these models. */
export function createScripts(models: readonly object[]): Scripts {
  const next = new Map<string, Reply[]>();
  const always = new Map<string, Reply>([
    [STUB_PATHS.chat, { steps: ['Hello,', ' Ada.'] }],
    [STUB_PATHS.models, { body: { object: 'list', data: models } }],
  ]);
  return {
    next: (reply, path = STUB_PATHS.chat) => void next.set(path, [...(next.get(path) ?? []), reply]),
    always: (reply, path = STUB_PATHS.chat) => void always.set(path, reply),
    take(request) {
      const reply = next.get(request.path)?.shift() ?? always.get(request.path) ?? failure(404, 'Not Found');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  };
}
