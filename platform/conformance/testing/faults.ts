import { echoFaults, updateFaults } from './messageFaults.ts';
import type { SeededFault } from './seededFault.ts';
import { signInFaults } from './signInFaults.ts';
import { clientFaults, socketFaults } from './socketFaults.ts';

/** A fault, or more, for each check that can fail. */
export const FAULTS: readonly SeededFault[] = [
  ...signInFaults,
  ...socketFaults,
  ...clientFaults,
  ...echoFaults,
  ...updateFaults,
];
