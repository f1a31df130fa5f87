import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Audit, AuditFields } from '../guards/audit.ts';
import type { UsersMode } from '../../base/config.ts';
import type { Helper, UserCreation } from '../../link/helperProtocol.ts';
import { isLocal } from '../guards/hostCheck.ts';
import {
  type AccountGuard,
  administratorsOnly,
  bearer,
  requestLimit,
  requesterFields,
} from '../guards/accountGuard.ts';
import { Problem, type ProblemName } from '../../api/problems.ts';
import { type User, credentialsSchema, problemResponses, userSchema } from '../../api/schemas.ts';
import type { Sessions } from '../guards/sessions.ts';

/** Maximum requests per caller and minute, unless a test sets another. */
const USERS_A_MINUTE = 60;
/** Other programs may have locked the account files, or many creations wait. */
const BUSY_RETRY_S = 5;

/** The options of `users`. */
export interface UsersOptions {
  readonly helper: Pick<Helper, 'createUser' | 'cancelWaiting'>;
  readonly users: UsersMode;
  readonly usersAMinute?: number;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly guard: AccountGuard;
}

/** Adds `POST /users`: creates a user of the host (spec §4.3, contract §8). The helper validates the request. */
export async function users(fastify: FastifyInstance, options: UsersOptions): Promise<void> {
  const { helper } = options;
  const schema = {
    summary: 'Create a user of this host',
    ...(options.users === 'admin' ? { security: [{ session: [] }] } : {}),
    body: credentialsSchema,
    response: { 201: userSchema, ...problemResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503) },
  };
  const inProgress = new Set<Promise<unknown>>();
  fastify.addHook('preClose', (done) => {
    void helper.cancelWaiting();
    done();
  });
  // The result is logged even when the caller has disconnected.
  fastify.addHook('onClose', () => Promise.allSettled(inProgress));
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .post('/users', { schema, onRequest: mayCreate(fastify, options) }, async (request, reply) => {
      const { username, password } = request.body;
      const creation = helper.createUser({ account: request.session?.account ?? null, username, password });
      inProgress.add(creation);
      const fields = { ...requesterFields(request), username };
      const problem = problemOf(await creation, fields, options.audit);
      inProgress.delete(creation);
      if (problem !== undefined) throw problem;
      const answer: User = { username };
      return reply.code(201).send(answer);
    });
}

type Hook = onRequestHookHandler | onRequestAsyncHookHandler;

/** Checks the caller before the body is read. */
function mayCreate(fastify: FastifyInstance, options: UsersOptions): Hook[] {
  const { audit, sessions } = options;
  const event = 'user not created';
  const limit = requestLimit(fastify, {
    name: 'users',
    max: options.usersAMinute ?? USERS_A_MINUTE,
    problem: 'too-many-users',
    onExceeded: (request) => audit(event, { ...requesterFields(request), reason: 'throttled' }),
  });
  if (options.users === 'off') return [(_request, _reply, done) => done(new Problem('users-off'))];
  if (options.users === 'open') return [localOnly, limit];
  return [bearer(sessions), limit, administratorsOnly({ ...options, event })];
}

const localOnly: onRequestHookHandler = (request, _reply, done) => {
  if (isLocal(request)) done();
  else done(new Problem('not-administrator'));
};

/** Writes the result to the audit log; returns the problem when the user was not created. */
function problemOf(creation: UserCreation, fields: AuditFields, audit: Audit): Problem | undefined {
  const refuse = (reason: string, name: ProblemName, retryAfter?: number) => {
    audit('user not created', { ...fields, reason });
    return new Problem(name, retryAfter);
  };
  if (creation.kind === 'created') {
    audit('user created', fields);
    return undefined;
  }
  if (creation.kind === 'taken') return refuse(creation.by, 'name-taken');
  if (creation.kind === 'refused') return refuse(creation.reason, REFUSAL_PROBLEMS[creation.reason]);
  if (creation.kind === 'ended') return refuse(creation.reason, 'token');
  if (creation.kind === 'failed') return failure(creation, fields, audit);
  if (creation.kind === 'unavailable') {
    audit('user not created', { ...fields, reason: 'unavailable', detail: creation.detail });
    return new Problem('busy', BUSY_RETRY_S);
  }
  return refuse(creation.kind, creation.kind === 'full' ? 'too-many-users' : 'closing', BUSY_RETRY_S);
}

type Refused = Extract<UserCreation, { kind: 'refused' }>;
type Failed = Extract<UserCreation, { kind: 'failed' }>;

const REFUSAL_PROBLEMS: Readonly<Record<Refused['reason'], ProblemName>> = {
  off: 'users-off',
  'not-administrator': 'not-administrator',
  unusable: 'unusable-name',
  reserved: 'name-taken',
  password: 'unusable-password',
};

const FAULT_PROBLEMS: Readonly<Record<Failed['fault'], ProblemName>> = {
  busy: 'busy',
  password: 'unusable-password',
  failed: 'user-not-created',
};

function failure({ fault, detail, rolledBack }: Failed, fields: AuditFields, audit: Audit): Problem {
  audit('user not created', { ...fields, reason: fault, detail });
  if (rolledBack === 'removed') audit('user rolled back', fields);
  if (rolledBack !== 'left') {
    return new Problem(FAULT_PROBLEMS[fault], fault === 'busy' ? BUSY_RETRY_S : undefined);
  }
  audit('user not rolled back', fields);
  return new Problem('user-left-behind');
}
