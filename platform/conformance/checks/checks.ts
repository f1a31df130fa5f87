import type { Check } from '../base/check.ts';
import { answerChecks, unchangedCheck, wordsCheck } from './answerChecks.ts';
import { clientChecks } from './clientChecks.ts';
import { echoChecks } from './echoChecks.ts';
import { frameChecks, kindChecks } from './frameChecks.ts';
import { signInChecks } from './signInChecks.ts';
import { socketChecks } from './socketChecks.ts';
import { untestedChecks } from './untestedChecks.ts';

/** All checks, in the order in which they run. The last ones are about everything that was received before. */
export const CHECKS: readonly Check[] = [
  ...signInChecks,
  ...socketChecks,
  ...clientChecks,
  ...echoChecks,
  ...answerChecks,
  unchangedCheck,
  ...frameChecks,
  ...kindChecks,
  wordsCheck,
  ...untestedChecks,
];
