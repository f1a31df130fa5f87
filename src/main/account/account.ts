import { createReducer } from '@reduxjs/toolkit';
import { signedIn, signedOut } from '#shared/actions/mainActions.ts';

/** The signed-in account and its platform: the identifier is a credential of that platform only (contract §2). */
export interface AccountState {
  readonly id: string | null;
  readonly platform: string | null;
}

/** The state without an account. */
export const signedOutState: AccountState = { id: null, platform: null };

/** Reduces the account. */
export const accountReducer = createReducer(signedOutState, (builder) =>
  builder
    .addCase(signedIn, (_, { payload }): AccountState => payload)
    .addCase(signedOut, () => signedOutState),
);
