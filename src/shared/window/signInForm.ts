import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { Credentials } from '../protocol/credentials.ts';
import { errorPayload, fieldsPayload } from './payloads.ts';

/** The fields of the sign-in form, without the password: it is only in the form's element, and never in a state or an action. */
type Fields = Pick<Credentials, 'email' | 'name'>;

/** The sign-in form (spec §2.1). */
export interface SignInFormState extends Fields {
  /** Whether the characters of the password are shown. */
  readonly showsCharacters: boolean;
  /** The first error; `null` while the form shows its hint. */
  readonly error: string | null;
  /** Whether the form will be sent, or its request is in progress. */
  readonly isBusy: boolean;
  /** How often the form was cleared. A new number makes the window show a new, empty form. */
  readonly cleared: number;
}

const empty: SignInFormState = {
  email: '',
  name: '',
  showsCharacters: false,
  error: null,
  isBusy: false,
  cleared: 0,
};

interface WithError {
  readonly error: string | null;
}

const slice = createSlice({
  name: 'signInForm',
  initialState: empty,
  reducers: {
    /** A field was edited, also the password. */
    edited: {
      reducer: (form, { payload }: PayloadAction<Fields>) => ({ ...form, ...payload }),
      prepare: fieldsPayload,
    },
    /** The person showed or hid the characters of the password. */
    charactersShown: (form, { payload }: PayloadAction<{ readonly isShown: boolean }>) => {
      form.showsCharacters = payload.isShown;
    },
    /** The form was checked, or changed before its request: its first error, or `null` when it is valid or empty. */
    checked: {
      reducer: (form, { payload }: PayloadAction<WithError>) => ({
        ...form,
        error: payload.error,
        isBusy: false,
      }),
      prepare: errorPayload,
    },
    /** The form is valid and will be sent: the person pressed Enter or, without it, the request has begun. */
    submitted: (form) => ({ ...form, error: null, isBusy: true }),
    /** The request was answered: its error, or `null` on success. */
    answered: {
      reducer: (form, { payload }: PayloadAction<WithError>) => ({
        ...form,
        error: payload.error,
        isBusy: false,
      }),
      prepare: errorPayload,
    },
    /** The person's data was deleted: the form is empty. */
    cleared: ({ cleared }) => ({ ...empty, cleared: cleared + 1 }),
  },
});

export const {
  edited: signInFormEdited,
  charactersShown,
  checked: signInFormChecked,
  submitted: signInFormSubmitted,
  answered: signInFormAnswered,
  cleared: signInFormCleared,
} = slice.actions;

/** Reduces the sign in form. */
export const signInFormReducer = slice.reducer;
