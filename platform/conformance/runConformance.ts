import { randomBytes } from 'node:crypto';
import type { Credentials } from '#shared/protocol/credentials.ts';
import { CHECKS } from './checks.ts';
import type { ObservedSocket } from './observedSocket.ts';
import {
  type AuthAnswer,
  type Check,
  type Outcome,
  type Subject,
  type SubjectOptions,
  accountOf,
  describeAnswer,
  isAccepted,
  notTested,
  openerOf,
  postAuth,
} from './subject.ts';

/** The options of `runConformance`. */
interface ConformanceOptions extends SubjectOptions {
  /** The account to log in to; `null` registers one with a random email. */
  readonly login: { readonly email: string; readonly password: string } | null;
  /** The ids of the checks to run; `null` runs all. */
  readonly only: readonly string[] | null;
  /** When it is aborted, the remaining checks are not made. */
  readonly signal: AbortSignal;
  /** Called before each check. */
  readonly onProgress: (done: number, total: number) => void;
}

/** One row of the report. */
export interface ReportRow extends Pick<Check, 'id' | 'row' | 'checks'> {
  readonly outcome: Outcome;
}

const NAME = 'Parley Conformance';

/**
 * Tests a running platform against the platform's side of the specification. Resolves to one row for each check.
 * @throws {ConformanceError} when the platform is unreachable, or accepts no credentials.
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly ReportRow[]> {
  const sockets: ObservedSocket[] = [];
  const others: ObservedSocket[] = [];
  const credentials = options.login === null ? randomCredentials() : { ...options.login, name: '' };
  const answer = await postAuth(options.apiUrl, JSON.stringify(credentials));
  requireAccount(answer, options);
  const account = accountOf(answer);
  try {
    const subject = await createSubject({ options, sockets, others, credentials, account });
    return await runChecks(subject, options);
  } finally {
    for (const socket of [...sockets, ...others]) socket.terminate();
  }
}

interface Parts {
  readonly options: ConformanceOptions;
  readonly sockets: ObservedSocket[];
  /** Receives the sockets of the other account. */
  readonly others: ObservedSocket[];
  readonly credentials: Credentials;
  readonly account: string;
}

async function createSubject({ options, sockets, others, credentials, account }: Parts): Promise<Subject> {
  const { post, open } = openerOf(options, sockets);
  const first = await open(account);
  const second = await open(account);
  const { error = null } = first.closed() ?? {};
  if (error !== null && /\bE[A-Z]{4,}|certificate/.test(error))
    throw new ConformanceError(
      `cannot connect to ${options.platformUrl} (${error}): name another one with --platform-url`,
    );
  return {
    ...options,
    post,
    credentials: { ...credentials, name: '' },
    registeredName: options.login === null ? credentials.name : null,
    account,
    first,
    second,
    openOther: async () => (options.login === null ? openOther(options, others) : null),
    sockets,
    open: (other = account) => open(other),
  };
}

/** Registers another account and opens a socket of it. */
async function openOther(
  options: ConformanceOptions,
  others: ObservedSocket[],
): Promise<ObservedSocket | null> {
  const { post, open } = openerOf(options, others);
  const answer = await post(randomCredentials());
  return isAccepted(answer) ? open(accountOf(answer)) : null;
}

async function runChecks(subject: Subject, { only, signal, onProgress }: ConformanceOptions) {
  const checks = CHECKS.filter(({ id }) => only === null || only.includes(id));
  const interrupted = untilAborted(signal);
  const rows: ReportRow[] = [];
  for (const check of checks) {
    onProgress(rows.length, checks.length);
    const { id, row, checks: words } = check;
    const outcome = signal.aborted
      ? await interrupted
      : await Promise.race([outcomeOf(check, subject), interrupted]);
    rows.push({ id, row, checks: words, outcome: withoutSecrets(outcome, subject) });
  }
  return rows;
}

/** Resolves to the outcome of the checks that an interruption prevents. */
const untilAborted = (signal: AbortSignal): Promise<Outcome> =>
  new Promise((resolve) => {
    const end = () => resolve(notTested('the test was interrupted'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });

async function outcomeOf(check: Check, subject: Subject): Promise<Outcome> {
  const hasSnapshots = [subject.first, subject.second].every(({ frames }) => frames.length > 0);
  return hasSnapshots || check.runsWithoutSnapshot ? check.run(subject) : notTested('no snapshot arrived');
}

/** Removes the account identifier and the credentials from the words of an outcome: the platform may have sent them back. */
function withoutSecrets(outcome: Outcome, { account, credentials }: Subject): Outcome {
  const hide = (text: string) =>
    [account, credentials.email, credentials.password].reduce(
      (words, secret) => words.replaceAll(secret, '…'),
      text,
    );
  return outcome.result === 'failed' ? { ...outcome, seen: hide(outcome.seen) } : outcome;
}

/** Returns credentials that satisfy the client's rules (spec §2.1). */
const randomCredentials = (): Credentials => ({
  email: `conformance-${randomBytes(8).toString('hex')}@example.org`,
  password: `c1!${randomBytes(6).toString('hex')}`,
  name: NAME,
});

/** @throws {ConformanceError} without an account. */
function requireAccount(answer: AuthAnswer, { apiUrl, login }: ConformanceOptions): void {
  if (answer.status === null) {
    throw new ConformanceError(
      `cannot reach ${apiUrl} (${answer.code}): start the platform, or name another address`,
    );
  }
  if (isAccepted(answer) && accountOf(answer) !== '') return;
  throw new ConformanceError(
    login === null
      ? `the platform refuses to register an account (${describeAnswer(answer)}): name one with --email and --password`
      : `the platform refuses this email and password (${describeAnswer(answer)}): name another account`,
  );
}

/** The suite cannot test the platform: it is unreachable, or refuses the account. `message` is one line that says what to do. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}
