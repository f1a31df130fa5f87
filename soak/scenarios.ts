import type { Scenario } from './scenario.ts';
import { flaps } from './scenarios/flaps.ts';

/** Every scenario, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [flaps];
