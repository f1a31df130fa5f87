import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { local } from '#shared/store/local.ts';

/** The signed-in account and its platform: the identifier is a credential of that platform only (contract §2). */
export interface AccountState {
  readonly id: string | null;
  readonly platform: string | null;
}

/** The state without an account. */
export const signedOutState: AccountState = { id: null, platform: null };

const slice = createSlice({
  name: 'account',
  initialState: signedOutState,
  reducers: {
    /** The platform gave an account identifier. */
    signedIn: {
      reducer: (
        _,
        { payload }: PayloadAction<{ readonly id: string; readonly platform: string }>,
      ): AccountState => payload,
      prepare: (account: { readonly id: string; readonly platform: string }) => local(account),
    },
    /** The person or the platform (`unauthorized`) signed the account out. */
    signedOut: {
      reducer: () => signedOutState,
      prepare: () => local(undefined),
    },
  },
});

export const { signedIn, signedOut } = slice.actions;
/** Reduces the account. */
export const accountReducer = slice.reducer;
