import type { Check } from '../base/check.ts';
import { notTested } from '../base/outcome.ts';

const untested = (id: string, row: string, [checks, why]: readonly [string, string]): Check => ({
  id,
  row,
  checks,
  needsSockets: false,
  run: () => notTested(why),
});

/** What no client can cause. */
export const untestedChecks: readonly Check[] = [
  untested('revoked', 'spec §5.1', [
    'the sockets of an account that is revoked are closed with the reason `unauthorized`',
    'only an administrator of the platform can revoke an account',
  ]),
  untested('restart', 'spec §3.2 row 2', [
    'a platform that ends closes its sockets with an empty reason, and has the conversation after its restart',
    'the suite does not stop the platform',
  ]),
];
