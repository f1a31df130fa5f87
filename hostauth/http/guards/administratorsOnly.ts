import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Audit, AuditEvent, AuditFields } from '../audit/audit.ts';
import { clientAddress } from './clientAddress.ts';
import type { AccountGuard } from '../sessions/accountGuard.ts';
import { Problem, type ProblemName } from '../../api/problems.ts';

const WINDOW_MS = 60_000;

/** Returns who sent a request, for the audit log. */
export const requesterFields = (request: FastifyRequest): AuditFields => ({
  address: clientAddress(request),
  ...(request.session === null ? {} : { by: request.session.username }),
});

interface RequestLimitOptions {
  /** The calls that share the limit: the first part of its key. */
  readonly name: string;
  readonly max: number;
  readonly problem: ProblemName;
  /** Called for each request over the limit. */
  readonly onExceeded: (request: FastifyRequest) => void;
}

/** Limits the requests of one caller in a minute. It comes before the lookup of groups, which starts two processes. */
export function requestLimit(
  fastify: FastifyInstance,
  { name, max, problem, onExceeded }: RequestLimitOptions,
): onRequestAsyncHookHandler {
  const count = fastify.createRateLimit({
    max,
    timeWindow: WINDOW_MS,
    keyGenerator: (request: FastifyRequest) =>
      `${name} ${request.session?.username ?? clientAddress(request)}`,
  });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    onExceeded(request);
    throw new Problem(problem, counted.ttlInSeconds);
  };
}

/** The options of `administratorsOnly`. */
interface AdministratorOptions {
  readonly guard: AccountGuard;
  readonly audit: Audit;
  /** The audit event of a refused request. */
  readonly event: AuditEvent;
}

/** Creates an `onRequest` hook, for use after `bearer`, that admits callers who are administrators now and whose account is unchanged. */
export function administratorsOnly({ guard, audit, event }: AdministratorOptions): onRequestAsyncHookHandler {
  return async (request) => {
    const isAdministrator = await guard.isAdministrator(request).catch((error: unknown) => {
      if (error instanceof Problem && error.problem === 'busy') {
        audit(event, { ...requesterFields(request), reason: 'lookup' });
      }
      throw error;
    });
    if (isAdministrator) return;
    audit(event, { ...requesterFields(request), reason: 'not-administrator' });
    throw new Problem('not-administrator');
  };
}
