/*
 * The protocol between the HTTP process and the helper: newline-delimited JSON over one Unix stream socket. The HTTP
 * process sends calls, the helper answers each with the call's `id`, in any order:
 *
 *   {"id":1,"call":"authenticate","username":"ada","password":"…"}   →   {"id":1,"result":{"kind":"accepted","account":"…"}}
 *
 * A line longer than `MAX_LINE_BYTES`, or one that is not valid, closes the connection.
 */
import { z } from 'zod';
import type { UserCreation } from './accounts/creation.ts';
import type { Credentials, PamOutcome } from './pam/authenticator.ts';

export type { UserCreation };

/** The longest line, in bytes of UTF-8 without its line end. */
export const MAX_LINE_BYTES = 16 * 1024;
/** No more calls of a connection are read while so many are in progress. */
export const MAX_CALLS = 1024;

/** Why the sessions of an account end. `proof`: the helper does not know the proof, or it is older than a session may be. */
const END_REASONS = ['deleted', 'replaced', 'locked', 'expired', 'password', 'changed', 'proof'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Whether an account is still the one that signed in. `unknown`: nothing could be asked. */
export type AccountState =
  | { readonly state: 'same' }
  | { readonly state: 'ended'; readonly reason: EndReason }
  | { readonly state: 'unknown'; readonly detail: string };

/** The same, and whether the account is an administrator's now. */
export type AdministratorState =
  | Exclude<AccountState, { state: 'same' }>
  | { readonly state: 'administrator' | 'other' };

/** The result of a sign-in. `account` is the proof of the account that signed in (`accountProof.ts`). */
export type SignInOutcome =
  | { readonly kind: 'accepted'; readonly account: string }
  | Exclude<PamOutcome, { kind: 'accepted' }>
  /** `helper`: it could not be reached, or ended during the call. `lookup`: the name service failed after PAM had accepted. */
  | {
      readonly kind: 'unavailable';
      readonly reason: 'helper' | 'lookup';
      readonly detail?: string | undefined;
    };

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
  createUser(user: NewUser): Promise<UserCreation>;
  /** Refuses the users that wait to be created (`closing`): the HTTP process is about to stop. */
  cancelWaiting(): Promise<void>;
  /** Completes the calls in progress; later calls are refused. */
  close(): Promise<void>;
}

const id = z.int().nonnegative();
const text = z.string();

/** A call. The bounds of names and passwords are the helper's to check: a call that breaks them gets an answer. */
export const helperCall = z.discriminatedUnion('call', [
  z.strictObject({ id, call: z.literal('authenticate'), username: text, password: text }),
  z.strictObject({ id, call: z.literal('checkAccount'), account: text }),
  z.strictObject({ id, call: z.literal('isAdministrator'), account: text }),
  z.strictObject({
    id,
    call: z.literal('createUser'),
    account: text.nullable(),
    username: text,
    password: text,
  }),
  z.strictObject({ id, call: z.literal('cancelWaiting') }),
]);
export type HelperCall = z.infer<typeof helperCall>;

/** An answer; `helperResults` has the schema of each call's result. */
export const helperAnswer = z.union([
  z.strictObject({ id, result: z.unknown() }),
  z.strictObject({ id, error: z.string() }),
]);

const detail = z.string().optional();
const ended = z.strictObject({ state: z.literal('ended'), reason: z.enum(END_REASONS) });
const unknown = z.strictObject({ state: z.literal('unknown'), detail: text });

const signInOutcome: z.ZodType<SignInOutcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accepted'), account: text }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['credentials', 'expired', 'must-change', 'account', 'input']),
    detail,
  }),
  z.strictObject({
    kind: z.literal('unavailable'),
    reason: z.enum(['busy', 'died', 'timeout', 'helper', 'lookup']),
    detail,
  }),
]);

const userCreation: z.ZodType<UserCreation> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['created', 'full', 'closing']) }),
  z.strictObject({ kind: z.literal('taken'), by: z.enum(['user', 'group', 'home', 'useradd']) }),
  z.strictObject({
    kind: z.literal('failed'),
    fault: z.enum(['busy', 'password', 'failed']),
    detail: text,
    rolledBack: z.enum(['nothing', 'removed', 'left']),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.enum(['off', 'not-administrator', 'unusable', 'reserved', 'password']),
  }),
  z.strictObject({ kind: z.literal('ended'), reason: z.enum(END_REASONS) }),
  z.strictObject({ kind: z.literal('unavailable'), detail: text }),
]);

/** The schema of each call's result. */
export const helperResults = {
  authenticate: signInOutcome,
  checkAccount: z.discriminatedUnion('state', [z.strictObject({ state: z.literal('same') }), ended, unknown]),
  isAdministrator: z.discriminatedUnion('state', [
    z.strictObject({ state: z.enum(['administrator', 'other']) }),
    ended,
    unknown,
  ]),
  createUser: userCreation,
  cancelWaiting: z.null(),
} as const;
