/** Who wants to sign in; both have been bounded already (`pamInput.ts`). */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Why a sign-in was refused; for the audit log only: the answer is the same for all of them. */
export type RefusalReason = 'credentials' | 'expired' | 'must-change' | 'account' | 'input';

/** What PAM said. */
export type SignInOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly detail?: string }
  /** Nobody could be asked: too many wait, or the PAM process died or hung. */
  | { readonly kind: 'unavailable'; readonly reason: 'busy' | 'died' | 'timeout' };

/** Whoever can tell whether a password is that of a host account (spec §5.2). */
export interface Authenticator {
  /** Never rejects. */
  authenticate(credentials: Credentials): Promise<SignInOutcome>;
  /** Ends it; what has begun is answered first. */
  close(): Promise<void>;
}
