import type { Revert } from './revert.ts';
import { fileReverts } from './files.ts';
import { hostauthReverts } from './hostauth.ts';
import { protocolReverts } from './protocol.ts';
import { recordReverts } from './records.ts';
import { sessionReverts } from './session.ts';
import { windowReverts } from './window.ts';

/** Every fix that a scenario tests. */
export const REVERTS: readonly Revert[] = [
  ...protocolReverts,
  ...sessionReverts,
  ...recordReverts,
  ...fileReverts,
  ...windowReverts,
  ...hostauthReverts,
];
