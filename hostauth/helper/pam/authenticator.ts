import type { Credentials, SignInOutcome } from '../../link/helperProtocol.ts';

/** The result of PAM and of the account phase. */
export type PamOutcome =
  | { readonly kind: 'accepted' }
  | Extract<SignInOutcome, { kind: 'refused' }>
  | {
      readonly kind: 'unavailable';
      readonly reason: 'busy' | 'died' | 'timeout';
      readonly detail?: string | undefined;
    };

/** Checks whether a password is that of a host account (spec §5.2). */
export interface Authenticator {
  /** Never rejects. */
  authenticate(credentials: Credentials): Promise<PamOutcome>;
  /** Ends it: the sign-ins that have begun are completed, later ones are `busy`. */
  close(): Promise<void>;
}
