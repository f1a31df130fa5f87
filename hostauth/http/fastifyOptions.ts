import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem, type ProblemName } from '../api/problems.ts';
import { PROBLEM_JSON } from '../api/schemas.ts';

/** The largest body, in bytes (contract §8). */
const BODY_LIMIT = 4096;

/** The longest that a request may take to arrive, in milliseconds. Its handling has other limits. */
export interface RequestTimes {
  /** For the header fields, from the start of the connection or of the request; also for the TLS handshake. */
  readonly headersMs: number;
  /** For the whole request. */
  readonly requestMs: number;
  /** The interval at which Node looks for late requests. */
  readonly checkMs: number;
}

const REQUEST_TIMES: RequestTimes = { headersMs: 5000, requestMs: 10_000, checkMs: 250 };

/** Answers with a problem. */
const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store' })
    .type(PROBLEM_JSON)
    // Fastify adds a charset to text, which this type does not have.
    .send(Buffer.from(problem.body));

/** Answers a request that Node refuses before Fastify gets it. */
function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Nothing can be written before the handshake, and a connection with unwritten data would stay open.
  if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') return void socket.destroy();
  if (socket.writable) socket.write(rawAnswer(problemOfNode(error.code)));
  socket.destroySoon();
}

function problemOfNode(code: string): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('timeout');
  return new Problem(code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'invalid-request');
}

const rawAnswer = ({ status, body }: Problem): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Cache-Control: no-store',
    'Connection: close',
    `Content-Type: ${PROBLEM_JSON}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');

// Fastify has no logger: it would create or check one for each request. `hostauthApp` logs answers.
const COMMON = {
  bodyLimit: BODY_LIMIT,
  // Keys such as `__proto__` are refused.
  onProtoPoisoning: 'error' as const,
  onConstructorPoisoning: 'error' as const,
  // `drainOnClose` answers with a problem instead.
  return503OnClosing: false,
  clientErrorHandler: refuseConnection,
  frameworkErrors: (_error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
    void sendProblem(reply, new Problem('invalid-request')),
};

/** The settings that the options depend on. */
interface FastifySettings {
  /** Addresses and networks of the proxies whose `X-Forwarded-For` counts; none by default. */
  readonly trustedProxies?: readonly string[];
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly times?: RequestTimes;
}

/** Returns the options of Fastify for `app`: those that only its constructor takes. */
export function fastifyOptions({ trustedProxies = [], tls = null, times = REQUEST_TIMES }: FastifySettings) {
  const server = {
    headersTimeout: times.headersMs,
    connectionsCheckingInterval: times.checkMs,
    // `app` refuses a request without `Host` as one of another site.
    requireHostHeader: false,
  };
  return {
    ...COMMON,
    requestTimeout: times.requestMs,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    http: server,
    https: tls && { ...server, ...tls, handshakeTimeout: times.headersMs },
  };
}

/** Errors of Fastify. Their messages are not sent: one of them quotes the body. */
const OF_FASTIFY: Readonly<Record<string, ProblemName>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'not-json',
};

function problemOf({ code, statusCode = 500 }: FastifyError): Problem {
  const problem = OF_FASTIFY[code];
  if (problem !== undefined) return new Problem(problem);
  return new Problem(statusCode >= 400 && statusCode < 500 ? 'invalid-request' : 'internal');
}

/** Answers every error with a problem (contract §8). */
export function answerWithProblems(app: FastifyInstance, logger: Pick<Logger, 'error'>): void {
  app.setErrorHandler<FastifyError | Problem>((error, _request, reply) => {
    const problem = error instanceof Problem ? error : problemOf(error);
    if (problem.problem === 'internal') logger.error({ err: error }, 'a request failed');
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem('not-found')));
}
