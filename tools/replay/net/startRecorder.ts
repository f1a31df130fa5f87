import type { FastifyInstance } from 'fastify';
import { WebSocket, WebSocketServer } from 'ws';
import { refuseUpgrade, startLoopbackServer } from './sockets.ts';
import { type RecordingOptions, createRecordings } from './recordings.ts';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { FRAME_BYTES } from '#shared/limits.ts';

interface RecorderOptions extends RecordingOptions {
  /** The platform's {api_url} and {platform_url} (spec §4), without a slash at the end. */
  readonly apiUrl: string;
  readonly platformUrl: string;
  /** 0 selects any free port. */
  readonly port: number;
}

/**
 * Starts a recording proxy between any client on this machine and a platform (contract §7), with a capture for each
 * connection, or for each session (`joins`). The account is in the path of each socket (spec §4.2) and in the response to each sign-in: both are passed on
 * and never stored.
 * @throws {UsageError} when the port is not available.
 */
export async function startRecorder(options: RecorderOptions) {
  const { apiUrl, platformUrl, port, clock, print } = options;
  const sockets = new WebSocketServer({ noServer: true, autoPong: false, skipUTF8Validation: true });
  const recordings = createRecordings(options);
  const server = await startLoopbackServer({
    port,
    clock,
    sockets,
    addRoutes: (app) => forwardAuth(app, apiUrl, print),
    onUpgrade(request, upgrade, head) {
      const onOpen = (platform: WebSocket): boolean => {
        let isAccepted = false;
        sockets.handleUpgrade(request, upgrade, head, (client) => {
          isAccepted = true;
          recordings.begin({ client, platform, path: request.url ?? '' });
        });
        return isAccepted;
      };
      connectToPlatform({ request, upgrade, platformUrl, print, onOpen });
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

interface ConnectOptions {
  readonly request: IncomingMessage;
  /** The socket of the client's upgrade, which has no response yet. */
  readonly upgrade: Duplex;
  readonly platformUrl: string;
  readonly print: (line: string) => void;
  /** Is called when the platform's socket is open; returns `false` when the client could not be accepted. */
  readonly onOpen: (platform: WebSocket) => boolean;
}

/** The headers of the client's request that the platform may check. */
const FORWARDED = ['origin', 'user-agent', 'cookie', 'authorization'] as const;
const HANDSHAKE_MS = 10_000;

/**
 * Opens the platform's socket before the client is accepted. So the client gets what it would get without the proxy, also a
 * refusal, or a broken connection when nothing listens.
 */
function connectToPlatform({ request, upgrade, platformUrl, print, onOpen }: ConnectOptions): void {
  const url = `${platformUrl}${request.url}`;
  if (!URL.canParse(url) || url.includes('#')) {
    refuseUpgrade(upgrade, '400 Bad Request');
    return;
  }
  const platform = new WebSocket(url, {
    headers: Object.fromEntries(FORWARDED.flatMap((name) => entryOf(name, request.headers[name]))),
    handshakeTimeout: HANDSHAKE_MS,
    autoPong: false,
    maxPayload: FRAME_BYTES,
    skipUTF8Validation: true,
  });
  const abandon = () => platform.terminate();
  const fail = ({ code = 'no WebSocket there' }: NodeJS.ErrnoException) => {
    print(`the platform cannot be reached (${code}); the client’s connection is closed`);
    upgrade.destroy();
  };
  upgrade.once('close', abandon);
  platform.on('error', fail);
  platform.on('unexpected-response', (sent, { statusCode, statusMessage }) => {
    print(`the platform refuses the connection: ${statusCode}`);
    refuseUpgrade(upgrade, `${statusCode} ${statusMessage}`);
    upgrade.off('close', abandon);
    sent.destroy();
  });
  platform.once('open', () => {
    upgrade.off('close', abandon);
    platform.off('error', fail);
    if (!onOpen(platform)) platform.terminate();
  });
}

const entryOf = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

/** Forwards `POST /auth` (spec §4.1) and its response unchanged. Neither is recorded or logged. */
function forwardAuth(app: FastifyInstance, apiUrl: string, print: (line: string) => void): void {
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post<{ Body: Buffer | undefined }>('/auth', async ({ headers, body }, reply) => {
    const answer = await ask(`${apiUrl}/auth`, headers['content-type'], body);
    if (answer === undefined) {
      print('the platform’s API cannot be reached; the sign-in gets no response');
      // As without the proxy: no response.
      reply.hijack().raw.destroy();
      return reply;
    }
    const type = answer.headers.get('content-type');
    if (type !== null) reply.header('content-type', type);
    return reply.code(answer.status).send(Buffer.from(await answer.arrayBuffer()));
  });
}

/** Returns the response, or `undefined` without one. Does not follow redirects with the credentials. */
async function ask(url: string, type = 'application/json', body?: Buffer): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: body === undefined ? null : new Uint8Array(body),
      redirect: 'manual',
    });
  } catch {
    return undefined;
  }
}
