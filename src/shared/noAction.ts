import type { Action } from '@reduxjs/toolkit';

/** An action that no reducer knows: without a state, a reducer returns its initial one. */
export const NO_ACTION: Action = { type: '' };
