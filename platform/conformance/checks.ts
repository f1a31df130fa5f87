import { answerChecks, unchangedCheck, wordsCheck } from './answerChecks.ts';
import { clientChecks } from './clientChecks.ts';
import { echoChecks } from './echoChecks.ts';
import { formatChecks } from './formatChecks.ts';
import { frameChecks, kindChecks } from './frameChecks.ts';
import { signInChecks } from './signInChecks.ts';
import { socketChecks } from './socketChecks.ts';
import { type Check, notTested } from './subject.ts';

const untested = (id: string, row: string, [checks, why]: readonly [string, string]): Check => ({
  id,
  row,
  checks,
  runsWithoutSnapshot: true,
  run: () => notTested(why),
});

/** What no client can cause. */
const untestedChecks: readonly Check[] = [
  untested('revoked', 'spec §5.1', [
    'the sockets of an account that is revoked are closed with the reason `unauthorized`',
    'only an administrator of the platform can revoke an account',
  ]),
  untested('restart', 'spec §3.2 row 2', [
    'a platform that ends closes its sockets with an empty reason, and has the conversation after its restart',
    'the suite does not stop the platform',
  ]),
];

/** All checks, in the order in which they run. The last ones are about everything that was received before. */
export const CHECKS: readonly Check[] = [
  ...signInChecks,
  ...socketChecks,
  ...clientChecks,
  ...echoChecks,
  ...answerChecks,
  unchangedCheck,
  ...frameChecks,
  ...formatChecks,
  ...kindChecks,
  wordsCheck,
  ...untestedChecks,
];
