/** Who wants to sign in, as it came: `pamInput.ts` says what of it may reach PAM. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Why a sign-in was refused; for the audit log only: the answer is the same for all of them. PAM says the same of a
 * wrong password, a locked or blank account and a closed door, so all of these are `credentials`, and so is a name that
 * nobody has. `expired` and `must-change` had the right password. `account`: the account could not be looked at, or
 * is out of use for another reason. `input`: PAM was not asked.
 */
export type RefusalReason = 'credentials' | 'expired' | 'must-change' | 'account' | 'input';

/** What PAM said. */
export type PamOutcome =
  | { readonly kind: 'accepted' }
  /** `detail` is PAM's own text, or an exit code: it holds nothing of the credentials. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly detail?: string | undefined }
  /** Nobody could be asked: too many wait, or the PAM process died (`detail`: of what) or hung. */
  | {
      readonly kind: 'unavailable';
      readonly reason: 'busy' | 'died' | 'timeout';
      readonly detail?: string | undefined;
    };

/** Whoever can tell whether a password is that of a host account (spec §5.2). */
export interface Authenticator {
  /** Never rejects. */
  authenticate(credentials: Credentials): Promise<PamOutcome>;
  /** Ends it; what has begun is answered first, and what comes later is told `busy`. */
  close(): Promise<void>;
}
