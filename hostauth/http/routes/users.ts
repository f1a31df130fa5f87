import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type NameFault, nameFault } from '../../helper/accounts/accountName.ts';
import type { Accounts } from '../../helper/accounts/accounts.ts';
import type { Creation, Fault } from '../../helper/accounts/createAccount.ts';
import { LookUpError } from '../../helper/accounts/lookUp.ts';
import type { Audit, AuditFields } from '../../audit.ts';
import { bearer } from '../bearer.ts';
import { clientAddress, isLocal } from '../clientAddress.ts';
import type { UsersMode } from '../../config.ts';
import { mayReachPam } from '../../helper/pam/pamInput.ts';
import { Problem, type ProblemName } from '../problems.ts';
import { type Credentials, type User, credentialsSchema, problemResponses, userSchema } from '../schemas.ts';
import type { Sessions } from '../sessions.ts';

/** So many a minute may one caller ask for, unless a test says otherwise. */
const USERS_A_MINUTE = 60;
const WINDOW_MS = 60_000;
/** When others are at work on the accounts' files, or many wait. */
const BUSY_RETRY_S = 5;

/** How users are created, and by whom. */
export interface CreationOptions {
  readonly users: UsersMode;
  /** The group whose members may create users; no new user may be called so. */
  readonly adminGroup: string;
  readonly accounts: Accounts;
  /**
   * Looked up at each call.
   * @throws {LookUpError} when it cannot be told.
   */
  readonly isAdministrator: (username: string) => Promise<boolean>;
  readonly usersAMinute?: number;
}

export interface UsersOptions extends CreationOptions {
  readonly sessions: Sessions;
  readonly audit: Audit;
}

/** `POST /users`: creates a user of the host (spec §4.3, contract §8). */
export async function users(fastify: FastifyInstance, options: UsersOptions): Promise<void> {
  const { accounts } = options;
  const schema = {
    summary: 'Create a user of this host',
    ...(options.users === 'admin' ? { security: [{ session: [] }] } : {}),
    body: credentialsSchema,
    response: { 201: userSchema, ...problemResponses(400, 401, 403, 409, 413, 415, 422, 429, 500, 503) },
  };
  fastify.addHook('preClose', (done) => {
    void accounts.close();
    done();
  });
  // Whoever asked may have gone: what has begun is ended all the same.
  fastify.addHook('onClose', () => accounts.close());
  fastify
    .withTypeProvider<ZodTypeProvider>()
    .post('/users', { schema, onRequest: mayCreate(fastify, options) }, async (request, reply) => {
      await create(request.body, aboutOf(request), options);
      const answer: User = { username: request.body.username };
      return reply.code(201).send(answer);
    });
}

/** Who asked, for the audit log. */
const aboutOf = (request: FastifyRequest): AuditFields => ({
  address: clientAddress(request),
  ...(request.session === null ? {} : { by: request.session.username }),
});

type Hook = onRequestHookHandler | onRequestAsyncHookHandler;

/** Before the body is read. The limit comes before the groups are asked, for each question costs two processes. */
function mayCreate(fastify: FastifyInstance, options: UsersOptions): Hook[] {
  const limit = limitOf(fastify, options);
  if (options.users === 'off') return [(_request, _reply, done) => done(new Problem('users-off'))];
  if (options.users === 'open') return [fromHere, limit];
  return [bearer(options.sessions), limit, administratorsOnly(options)];
}

const fromHere: onRequestHookHandler = (request, _reply, done) => {
  if (isLocal(request)) done();
  else done(new Problem('not-administrator'));
};

function administratorsOnly({ isAdministrator, audit }: UsersOptions): onRequestAsyncHookHandler {
  return async (request) => {
    const about = aboutOf(request);
    const isOne = await isAdministrator(about.by ?? '').catch((error: unknown) => {
      if (!(error instanceof LookUpError)) throw error;
      audit('user not created', { ...about, reason: 'lookup', detail: error.message });
      throw new Problem('busy', BUSY_RETRY_S);
    });
    if (isOne) return;
    audit('user not created', { ...about, reason: 'not-administrator' });
    throw new Problem('not-administrator');
  };
}

function limitOf(fastify: FastifyInstance, options: UsersOptions): onRequestAsyncHookHandler {
  const count = fastify.createRateLimit({
    max: options.usersAMinute ?? USERS_A_MINUTE,
    timeWindow: WINDOW_MS,
    keyGenerator: (request: FastifyRequest) => `users ${request.session?.username ?? clientAddress(request)}`,
  });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    options.audit('user not created', { ...aboutOf(request), reason: 'throttled' });
    throw new Problem('too-many-users', counted.ttlInSeconds);
  };
}

/** @throws {Problem} when it is not created. */
async function create(
  { username, password }: Credentials,
  about: AuditFields,
  { accounts, adminGroup, audit }: UsersOptions,
): Promise<void> {
  const refuse = (reason: string, problem: Problem): never => {
    audit('user not created', { ...about, username, reason });
    throw problem;
  };
  const fault = nameFault(username, adminGroup);
  if (fault !== undefined) refuse(fault, new Problem(NAME_PROBLEMS[fault]));
  // It must be one to sign in with; and to chpasswd, a line's end would begin another user's line.
  if (password === '' || !mayReachPam({ username, password })) {
    refuse('password', new Problem('unusable-password'));
  }
  const creation = await accounts.create({ name: username, password });
  switch (creation.kind) {
    case 'created':
      audit('user created', { ...about, username });
      return;
    case 'taken':
      return refuse(creation.by, new Problem('name-taken'));
    case 'full':
      return refuse('full', new Problem('too-many-users', BUSY_RETRY_S));
    case 'closing':
      return refuse('closing', new Problem('closing', BUSY_RETRY_S));
    case 'failed':
      return fail({ ...about, username }, creation, audit);
  }
}

const NAME_PROBLEMS: Readonly<Record<NameFault, ProblemName>> = {
  unusable: 'unusable-name',
  reserved: 'name-taken',
};

const FAULT_PROBLEMS: Readonly<Record<Fault, ProblemName>> = {
  busy: 'busy',
  password: 'unusable-password',
  failed: 'user-not-created',
};

type Failed = Extract<Creation, { kind: 'failed' }>;

function fail(fields: AuditFields, { fault, detail, rolledBack }: Failed, audit: Audit): never {
  audit('user not created', { ...fields, reason: fault, detail });
  if (rolledBack === 'removed') audit('user rolled back', fields);
  if (rolledBack !== 'left')
    throw new Problem(FAULT_PROBLEMS[fault], fault === 'busy' ? BUSY_RETRY_S : undefined);
  audit('user not rolled back', fields);
  throw new Problem('user-left-behind');
}
