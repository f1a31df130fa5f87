import type { FastifyError, FastifyInstance } from 'fastify';
import { sendProblem } from './fastifyOptions.ts';
import { Problem, type ProblemName } from '../api/problems.ts';

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
export function answerWithProblems(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
    const problem = error instanceof Problem ? error : problemOf(error);
    if (problem.problem === 'internal') request.log.error({ err: error }, 'a request failed');
    return sendProblem(reply, problem);
  });
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem('not-found')));
}
