import type { Revert } from './revert.ts';

/** The host-account service. */
export const hostauthReverts: readonly Revert[] = [
  {
    name: 'the service checks the account of a session',
    scenario: 'hostauth',
    assertion: 'the session of an account that is locked ends',
    edits: [
      {
        file: 'hostauth/http/sessions/accountGuard.ts',
        now: `const isRecent = ({ checkedAt }: Session) => clock.monotonic() - checkedAt < RECENT_MS;`,
        without: `const isRecent = (_: Session) => true;`,
      },
    ],
  },
  {
    name: 'a client that resets its connection does not end the service',
    scenario: 'hostauth',
    edits: [
      {
        file: 'hostauth/http/guards/clientAddress.ts',
        now: '(hop ?? UNKNOWN).replace',
        without: 'hop!.replace',
      },
      { file: 'hostauth/http/app.ts', now: 'rememberAddress(request.socket);', without: '' },
    ],
  },
];
