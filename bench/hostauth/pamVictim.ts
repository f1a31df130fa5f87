import type { Credentials } from '#hostauth/link/helperProtocol.ts';
import { createTemporaryAccounts } from '#tests/builders/temporaryAccounts.ts';
import { createTemporaryPamService } from '#tests/builders/temporaryPamService.ts';

/** Whose password is guessed, and who signs in, and through which PAM service. */
export interface PamVictim extends Credentials {
  readonly service: string;
  remove(): void;
}

/** The shipped file's way to a password without its limit of five failures, past which PAM would have nothing to do. */
const UNLIMITED = 'auth required pam_unix.so nodelay noreap\naccount required pam_unix.so\n';

/** An account of this host made for it, whose password takes its time to be looked at; only root can make one. */
export function createPamVictim(): PamVictim {
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
