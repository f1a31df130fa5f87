import type { Credentials } from '#hostauth/link/helperProtocol.ts';
import { createTemporaryAccounts } from '#tests/builders/createTemporaryAccounts.ts';
import { createTemporaryPamService } from '#tests/builders/createTemporaryPamService.ts';

/** An account that signs in and whose password is guessed, and its PAM service. */
export interface PamAccount extends Credentials {
  readonly service: string;
  remove(): void;
}

/** The shipped PAM file without its limit of five failures, after which PAM would do nothing. */
const UNLIMITED = 'auth required pam_unix.so nodelay noreap\naccount required pam_unix.so\n';

/** Creates an account on this host, with a slow password hash. Needs root. */
export function createPamAccount(): PamAccount {
  const accounts = createTemporaryAccounts();
  const pam = createTemporaryPamService(UNLIMITED);
  return {
    service: pam.service,
    ...accounts.create(),
    remove() {
      accounts.removeAll();
      pam.remove();
    },
  };
}
