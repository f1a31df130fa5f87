import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEM_JSON, Problem } from './problems.ts';
import { RequestLog } from './requestLog.ts';

/** The largest body, in bytes (contract §8). */
const BODY_LIMIT = 4096;
/** A request has arrived whole after this, or is given up. */
const REQUEST_MS = 10_000;

/** Answers with a problem. */
export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply =>
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'no-store' })
    .type(PROBLEM_JSON)
    // As text it would get a charset, which this type does not have.
    .send(Buffer.from(problem.body));

/** What Node refuses before there is a request: written to the socket by hand. */
function refuseConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(rawAnswer(problemOf(error.code)));
  socket.destroySoon();
}

function problemOf(code: string): Problem {
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

/** How Fastify has to be made for `app`: what only its constructor takes. */
export const fastifyOptions = (logger: FastifyBaseLogger) => ({
  loggerInstance: logger,
  logController: new RequestLog(),
  // No line needs a request's number: one logger does for all of them.
  childLoggerFactory: (parent: FastifyBaseLogger) => parent,
  bodyLimit: BODY_LIMIT,
  requestTimeout: REQUEST_MS,
  // Missing or poisoned prototypes are no JSON of ours.
  onProtoPoisoning: 'error' as const,
  onConstructorPoisoning: 'error' as const,
  // `app` says so itself, with a problem.
  return503OnClosing: false,
  // A missing Host is a foreign one.
  http: { requireHostHeader: false },
  clientErrorHandler: refuseConnection,
  frameworkErrors: (_error: unknown, _request: FastifyRequest, reply: FastifyReply) =>
    void sendProblem(reply, new Problem('invalid-request')),
});
