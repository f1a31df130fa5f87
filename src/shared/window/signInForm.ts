import { type PayloadAction, createSlice } from '@reduxjs/toolkit';
import type { Credentials } from '../protocol/credentials.ts';
import { limitText } from './limitText.ts';
import { viewChanged } from './view.ts';

/** The fields of the sign-in form, without the password: it is only in the form's element, and never in a state or an action. */
type Fields = Pick<Credentials, 'email' | 'name'>;

/** The sign-in form (spec §2.1). */
export interface SignInFormState extends Fields {
  /** Whether the characters of the password are shown. */
  readonly showsCharacters: boolean;
  /** The first error; `null` while the form shows its hint. */
  readonly error: string | null;
  /** Whether sign-in is on its way. */
  readonly isBusy: boolean;
  /** How often the form was cleared: another number means another, empty form. */
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

const limitError = ({ error }: WithError) => ({
  payload: { error: error === null ? null : limitText(error) },
});

const slice = createSlice({
  name: 'signInForm',
  initialState: empty,
  reducers: {
    /** A field was edited, also the password. */
    edited: {
      reducer: (form, { payload }: PayloadAction<Fields>) => ({ ...form, ...payload }),
      prepare: ({ email, name }: Fields) => ({
        payload: { email: limitText(email), name: limitText(name) },
      }),
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
      prepare: limitError,
    },
    /** Sign-in was requested: by Enter or, without it, by the request. */
    submitted: (form) => ({ ...form, error: null, isBusy: true }),
    /** Sign-in was answered: the error, or `null` on success. */
    answered: {
      reducer: (form, { payload }: PayloadAction<WithError>) => ({
        ...form,
        error: payload.error,
        isBusy: false,
      }),
      prepare: limitError,
    },
    /** The person's data was deleted: the form is empty. */
    cleared: ({ cleared }) => ({ ...empty, cleared: cleared + 1 }),
  },
  extraReducers: (builder) => builder.addCase(viewChanged, () => empty),
});

export const {
  edited: signInFormEdited,
  charactersShown,
  checked: signInFormChecked,
  submitted: signInFormSubmitted,
  answered: signInFormAnswered,
  cleared: signInFormCleared,
} = slice.actions;

export const signInFormReducer = slice.reducer;
