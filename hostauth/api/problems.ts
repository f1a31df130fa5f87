import type { ProblemBody } from './schemas.ts';

/**
 * All errors of the service, as `application/problem+json` (RFC 9457, contract §8). The types are stable: programs may
 * compare them. Each has one body, whatever its cause: no input is repeated in an answer.
 */
const PROBLEMS = {
  'invalid-request': [400, 'The request is not valid for this call'],
  credentials: [401, 'Username or password is wrong, or the account cannot be used'],
  token: [401, 'A valid session token is needed'],
  'foreign-host': [403, 'The Host or Origin is not that of this service'],
  'form-expired': [403, 'The form has expired; send it again'],
  'not-in-group': [403, 'The account is in no group that may use this'],
  'not-administrator': [403, 'Only administrators of this host may do this'],
  'users-off': [403, 'This service creates no users'],
  'not-found': [404, 'There is no such call'],
  timeout: [408, 'The request took too long to arrive'],
  'name-taken': [409, 'The name is reserved, or that of an existing user or group'],
  'too-large': [413, 'The body is larger than 4096 bytes'],
  'not-json': [415, 'The body must be application/json'],
  'unusable-name': [422, 'The name cannot be that of a new user'],
  'unusable-password': [422, 'The password cannot be that of a new user'],
  'too-many-failures': [429, 'Too many failed attempts; try again later'],
  'too-many-users': [429, 'Too many users are waiting to be created; try again later'],
  'too-many-requests': [429, 'Too many requests; try again later'],
  'headers-too-large': [431, 'The header fields are too large'],
  internal: [500, 'The service failed; its log has the cause'],
  'user-not-created': [500, 'The user could not be created, and nothing is left of it'],
  'user-left-behind': [500, 'The user was created without a password and could not be removed again'],
  'sessions-full': [503, 'All session slots are in use; try again later'],
  'user-sessions-full': [503, 'This user has the maximum number of sessions; end one, or try again later'],
  busy: [503, 'The service is too busy; try again later'],
  closing: [503, 'The service is about to stop'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

/** The name of a problem: the end of its `type`. */
export type ProblemName = keyof typeof PROBLEMS;

/** The `WWW-Authenticate` of a 401. */
const CHALLENGE = 'Bearer realm="hostauth"';

/** Returns the stable `type` of a problem. */
const problemType = (name: ProblemName) => `urn:problem-type:hostauth:${name}`;

/** Thrown while a request is handled; the app answers with it. */
export class Problem extends Error {
  override readonly name = 'Problem';

  /** @param retryAfter seconds to wait before a retry. */
  constructor(
    readonly problem: ProblemName,
    readonly retryAfter?: number,
  ) {
    super(PROBLEMS[problem][1]);
  }

  get status(): number {
    return PROBLEMS[this.problem][0];
  }

  /** The body, as text. */
  get body(): string {
    const [status, title] = PROBLEMS[this.problem];
    return JSON.stringify({ type: problemType(this.problem), title, status } satisfies ProblemBody);
  }

  /** Its header fields, except those of the body. */
  get headers(): Record<string, string> {
    return {
      ...(this.status === 401 ? { 'www-authenticate': CHALLENGE } : {}),
      ...(this.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(this.retryAfter)) }),
    };
  }
}
