/*
 * The protocol between the HTTP process and the helper: newline-delimited JSON over one Unix stream socket. The HTTP
 * process sends calls, the helper answers each with the call's `id`, in any order:
 *
 *   {"id":1,"call":"authenticate","username":"ada","password":"…"}   →   {"id":1,"result":{"kind":"accepted","account":"…"}}
 *
 * A line longer than `MAX_LINE_BYTES`, or one that is not valid, closes the connection.
 */
import { z } from 'zod';

/** The longest line, in bytes of UTF-8 without its line end. */
export const MAX_LINE_BYTES = 16 * 1024;
/** The calls of a connection that may be in progress; further ones are not read until some have ended. */
export const MAX_CALLS = 1024;

const id = z.int().nonnegative();
const text = z.string();
const detail = z.string().optional();

/** A call. It has no bounds for names and passwords: the helper answers calls that exceed them. */
export const helperCall = z.discriminatedUnion('call', [
  z.strictObject({ id, call: z.literal('authenticate'), username: text, password: text }),
  z.strictObject({ id, call: z.literal('checkAccount'), account: text }),
  z.strictObject({ id, call: z.literal('isAdministrator'), account: text }),
  z.strictObject({ id, call: z.literal('accountGroups'), account: text }),
  z.strictObject({
    id,
    call: z.literal('createUser'),
    account: text.nullable(),
    username: text,
    password: text,
  }),
  z.strictObject({ id, call: z.literal('cancelWaiting') }),
]);
/** A call of the HTTP process to the helper. */
export type HelperCall = z.infer<typeof helperCall>;

/** An answer; `helperResults` has the schema of each call's result. */
export const helperAnswer = z.union([
  z.strictObject({ id, result: z.unknown() }),
  z.strictObject({ id, error: z.string() }),
]);

/** Why the sessions of an account end. `proof`: the helper does not know the proof, or it is older than a session may be. */
const endReason = z.enum(['deleted', 'replaced', 'locked', 'expired', 'password', 'changed', 'proof']);
/** Why an account may no longer be used. */
export type EndReason = z.infer<typeof endReason>;

const ended = z.strictObject({ state: z.literal('ended'), reason: endReason });
const unknown = z.strictObject({ state: z.literal('unknown'), detail: text });

const accountState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('same') }),
  ended,
  unknown,
]);
/** Whether an account is still the one that signed in. `unknown`: the name service or the helper did not answer. */
export type AccountState = z.infer<typeof accountState>;

const administratorState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.enum(['administrator', 'other']) }),
  ended,
  unknown,
]);
/** The same, and whether the account is an administrator's now. */
export type AdministratorState = z.infer<typeof administratorState>;

/** Why a sign-in is refused. */
export const refusalReason = z.enum([
  ...(['credentials', 'locked', 'expired', 'must-change', 'denied'] as const),
  ...(['account', 'prompt', 'unavailable', 'input'] as const),
]);

const accountGroups = z.discriminatedUnion('state', [
  /** `username`: as the name service spells it. */
  z.strictObject({ state: z.literal('same'), username: text, groups: z.array(text) }),
  ended,
  unknown,
]);
/** Whether an account is still the same, and the names of its groups now. */
export type AccountGroups = z.infer<typeof accountGroups>;

const signInOutcome = z.discriminatedUnion('kind', [
  /** `account` is the proof of the account that signed in (`accountProof.ts`). */
  z.strictObject({ kind: z.literal('accepted'), account: text }),
  /**
   * `reason` is for the audit log only: every refusal has the same answer. PAM gives the same result for a wrong password
   * and for an account that is unknown or blank: `credentials`. `locked`: by pam_faillock or another module, or in shadow.
   * `denied`: PAM's rules of access. `account`: the account could not be looked up, or cannot be used for another reason.
   * `prompt`: PAM asked for more than one password. `unavailable`: a module failed, or what it asks did not answer. `input`: PAM
   * was not asked. `detail` is the text of PAM, without the password.
   */
  z.strictObject({
    kind: z.literal('refused'),
    reason: refusalReason,
    detail,
  }),
  /**
   * `busy`: too many sign-ins wait. `died`, `timeout`: the PAM process ended (`detail`: how), or hung. `helper`: the helper
   * could not be reached, or ended during the call. `lookup`: the name service failed after PAM had accepted. `pam`: PAM could
   * not be started.
   */
  z.strictObject({
    kind: z.literal('unavailable'),
    reason: z.enum(['busy', 'died', 'timeout', 'helper', 'lookup', 'pam']),
    detail,
  }),
]);
/** The result of a sign-in. */
export type SignInOutcome = z.infer<typeof signInOutcome>;

const userCreation = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('created') }),
  /** Another user, group or home has the name. `useradd`: found only when the user was created. */
  z.strictObject({ kind: z.literal('taken'), by: z.enum(['user', 'group', 'home', 'useradd']) }),
  /**
   * `busy`: another program has locked the account files, or a tool took too long; a retry may succeed. `password`: the
   * host's own rules refuse the password. `detail` is for the audit log, without the password. `rolledBack`: whether
   * something of the user was there afterwards.
   */
  z.strictObject({
    kind: z.literal('failed'),
    fault: z.enum(['busy', 'password', 'failed']),
    detail: text,
    rolledBack: z.enum(['nothing', 'removed', 'left']),
  }),
  /** Too many creations wait. */
  z.strictObject({ kind: z.literal('full') }),
  /** The service ends. */
  z.strictObject({ kind: z.literal('closing') }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['off', 'not-administrator', 'unusable', 'reserved', 'password']),
  }),
  /** The caller's account is not the one that signed in. */
  z.strictObject({ kind: z.literal('ended'), reason: endReason }),
  /** A lookup failed and nothing was done, or the helper ended and the result is unknown. */
  z.strictObject({ kind: z.literal('unavailable'), detail: text }),
]);
/** The result of a request to create a user. */
export type UserCreation = z.infer<typeof userCreation>;

/** The schema of each call's result. */
export const helperResults = {
  authenticate: signInOutcome,
  checkAccount: accountState,
  isAdministrator: administratorState,
  accountGroups,
  createUser: userCreation,
  cancelWaiting: z.null(),
} as const;

/** A name and a password, as the HTTP process received them; `mayReachPam` checks them. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A user to create. `account` is the proof of the caller, `null` where anyone may create users. */
export interface NewUser extends Credentials {
  readonly account: string | null;
}

/** What the HTTP process asks the helper. No method rejects. */
export interface Helper {
  authenticate(credentials: Credentials): Promise<SignInOutcome>;
  checkAccount(account: string): Promise<AccountState>;
  /** Looks up the account and the group at each call. */
  isAdministrator(account: string): Promise<AdministratorState>;
  accountGroups(account: string): Promise<AccountGroups>;
  createUser(user: NewUser): Promise<UserCreation>;
  /** Refuses the users that wait to be created (`closing`): the HTTP process is about to stop. */
  cancelWaiting(): Promise<void>;
  /** Completes the calls in progress; later calls are refused. */
  close(): Promise<void>;
}
