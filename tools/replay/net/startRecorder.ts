import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { WebSocket } from 'ws';
import { FRAME_BYTES } from '#shared/limits.ts';
import { type RecordingOptions, createRecordings } from './recordings.ts';
import { type Answer, type SignInRequest, startLoopbackServer } from './sockets.ts';

interface RecorderOptions extends RecordingOptions {
  /** The platform's {api_url} and {platform_url} (spec §4), without a slash at the end. */
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** 0 selects any free port. */
  readonly port: number;
}

/** The headers of the client's request that the platform may check. */
const FORWARDED: ReadonlySet<string> = new Set(['origin', 'user-agent', 'cookie', 'authorization']);
const HANDSHAKE_MS = 10_000;

/** Pongs and wrong texts are passed on: the two ends judge them. */
const AS_SENT = { autoPong: false, skipUTF8Validation: true };

/**
 * Starts a recording proxy between any client on this machine and a platform (contract §7), with a capture for each
 * connection, or for each session (`joins`). The account is in the path of each socket (spec §4.2) and in the response to each sign-in: both are passed on
 * and never stored.
 * @throws {UsageError} when the port is not available.
 */
export async function startRecorder({ port, ...options }: RecorderOptions) {
  const recordings = createRecordings(options);
  /** The platform's sockets whose clients are not accepted yet. */
  const waiting = new WeakMap<IncomingMessage, WebSocket>();
  const server = await startLoopbackServer({
    port,
    clock: options.clock,
    sockets: AS_SENT,
    signIn: (request, reply) => forwardSignIn(request, reply, options),
    // The platform is first. So the client gets what it would get without the proxy, also a refusal.
    verify(request, answer) {
      const url = `${options.platformUrl}${request.url}`;
      if (!URL.canParse(url) || url.includes('#')) return answer(false, 400);
      waiting.set(request, connectToPlatform(url, request, { answer, print: options.print }));
      request.socket.once('close', () => waiting.get(request)?.terminate());
    },
    onClient(client, request) {
      const platform = waiting.get(request);
      waiting.delete(request);
      if (platform !== undefined) recordings.begin({ client, platform, path: request.url ?? '' });
    },
  });
  return {
    ...server,
    /** Closes every socket (1001, no reason), frees the port and completes the captures. */
    async stop() {
      await server.stop();
      await recordings.stop();
    },
  };
}

type Answers = Pick<RecorderOptions, 'print'> & { readonly answer: Answer };

/** Opens the platform's socket for a client, and answers the client as the platform does: also with a broken connection when nothing listens. */
function connectToPlatform(url: string, { headers, socket }: IncomingMessage, { answer, print }: Answers) {
  const platform = new WebSocket(url, {
    ...AS_SENT,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => FORWARDED.has(name))),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: FRAME_BYTES,
  });
  let isAnswered = false;
  const settle = (status?: number) => {
    isAnswered = true;
    answer(status === undefined, status);
  };
  platform.on('error', ({ code = 'no WebSocket there' }: NodeJS.ErrnoException) => {
    // Later, the close that follows reports the same.
    if (isAnswered) return;
    print(`the platform cannot be reached (${code}); the client’s connection is closed`);
    socket.destroy();
  });
  platform.on('unexpected-response', (sent, { statusCode }) => {
    print(`the platform refuses the connection: ${statusCode}`);
    settle(statusCode);
    sent.destroy();
  });
  platform.once('open', () => settle());
  return platform;
}

/** Forwards `POST /auth` (spec §4.1) and its response unchanged. Neither is recorded or logged. */
async function forwardSignIn(
  { headers, body }: SignInRequest,
  reply: FastifyReply,
  { apiUrl, print }: Pick<RecorderOptions, 'apiUrl' | 'print'>,
) {
  const answer = await fetch(`${apiUrl}/auth`, {
    method: 'POST',
    headers: { 'content-type': headers['content-type'] ?? 'application/json' },
    body: body === undefined ? null : new Uint8Array(body),
    // The credentials are for this address only.
    redirect: 'manual',
  }).catch(() => undefined);
  if (answer === undefined) {
    print('the platform’s API cannot be reached; the sign-in gets no response');
    // As without the proxy: no response.
    reply.hijack().raw.destroy();
    return reply;
  }
  const type = answer.headers.get('content-type');
  if (type !== null) reply.header('content-type', type);
  return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
}
