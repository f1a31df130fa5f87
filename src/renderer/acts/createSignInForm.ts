import { clip } from '#shared/clip.ts';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import { type Credentials, UNKNOWN_ERROR, credentialsError } from '#shared/protocol/credentials.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import {
  signInFormAnswered,
  signInFormChecked,
  signInFormEdited,
  signInFormSubmitted,
} from '#shared/window/signInForm.ts';
import { NAME_LENGTH } from '#ui/base/splitIntoBlocks.ts';
import type { OwnStore } from '../store/ownStore.ts';

export interface SignInForm {
  /** Called when fields change. */
  readonly edit: (fields: Partial<Credentials>) => void;
  /** Called on Enter or the button: checks the form without the delay. */
  readonly submit: () => void;
  /** Drops the fields: it checks nothing more and ignores late answers, until it is edited again. */
  readonly reset: () => void;
}

interface Options {
  readonly clock: Clock;
  readonly store: OwnStore;
  /** Signs in; resolves to an error text, or to `undefined` on success. */
  readonly signIn: (credentials: Credentials) => Promise<string | undefined>;
}

const EMPTY: Credentials = { email: '', password: '', name: '' };
const isEmpty = ({ email, password, name }: Credentials) => email === '' && password === '' && name === '';

/**
 * Creates the logic of the sign-in form (spec §4.1, §7; contract §3):
 *
 *                       input ┌──┐
 *                             │  ▼
 *     resting ─── input ───▶ waiting ─── 2 s of no input, or Enter ─▶ checked
 *      ▲ ▲ │                    ▲                                     │  │
 *      │ │ └─ Enter ──▶ checked │        not valid: its first error   │  │ valid
 *      │ └──────────────────────┼─────────────────────────────────────┘  ▼
 *      │                        └── answered, input meanwhile ────────── requesting
 *      └─────────────────────────── answered ───────────────────────────┘
 *
 * It sends one request at a time. An input that makes the form valid shows the hint immediately. An empty form is checked only on Enter.
 * The password is only here and in its element.
 */
export function createSignInForm({ clock, store: { getState, dispatch }, signIn }: Options): SignInForm {
  let credentials = EMPTY;
  let hasChanged = false;
  let cancelWait: Cancel | undefined;
  /** The number of the form: `reset` begins another one, which ignores the answers to this one. */
  let number = 0;
  const isBusy = () => getState().own.signInForm.isBusy;

  const show = (error: string | null) => {
    if (getState().own.signInForm.error !== error) dispatch(signInFormChecked({ error }));
  };
  const wait = () => {
    cancelWait?.();
    cancelWait = clock.after(FORM_DEBOUNCE_MS, () => (isEmpty(credentials) ? show(null) : check()));
  };
  const check = () => {
    cancelWait?.();
    const error = credentialsError(credentials);
    if (error === null) void request();
    else show(error);
  };
  const request = async () => {
    const current = number;
    dispatch(signInFormSubmitted());
    hasChanged = false;
    const error = await answerOf(signIn(credentials));
    if (number !== current) return;
    dispatch(signInFormAnswered({ error }));
    if (error !== null && hasChanged) wait();
  };

  return {
    edit(fields) {
      credentials = { ...credentials, ...fields };
      hasChanged = true;
      dispatch(signInFormEdited(credentials));
      if (isBusy()) return;
      if (credentialsError(credentials) === null) show(null);
      wait();
    },
    submit() {
      if (!isBusy()) check();
    },
    reset() {
      number++;
      credentials = EMPTY;
      cancelWait?.();
    },
  };
}

/** Returns the answer's error text, clipped because the platform may send a megabyte; `null` when there is none. */
async function answerOf(answer: Promise<string | undefined>): Promise<string | null> {
  try {
    const error = (await answer) ?? null;
    return error === '' ? UNKNOWN_ERROR : error && clip(error, NAME_LENGTH);
  } catch {
    return UNKNOWN_ERROR;
  }
}
