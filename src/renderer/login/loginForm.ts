import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import {
  type Credentials,
  FORM_HINT,
  UNKNOWN_ERROR,
  credentialsError,
} from '#shared/protocol/credentials.ts';
import type { Cancel, Clock } from '#shared/time/clock.ts';
import { clip } from '#shared/clip.ts';
import { NAME_LENGTH } from '#ui/base/splitIntoBlocks.ts';
import { type Cell, cell } from '../base/cell.ts';

/** The form's state beside its fields. */
export interface FormState {
  /** The hint, or the first error. */
  readonly line: string;
  readonly isError: boolean;
  /** Whether a request is in progress. */
  readonly isBusy: boolean;
}

export interface LoginForm {
  readonly state: Pick<Cell<FormState>, 'get' | 'subscribe'>;
  /** Called when a field changes. */
  readonly input: (credentials: Credentials) => void;
  /** Called on Enter or the button: checks the form without the delay. */
  readonly submit: () => void;
  /** Stops the form: it checks nothing more and ignores late answers. */
  readonly dispose: () => void;
}

interface Options {
  readonly clock: Clock;
  /** Signs in; resolves to an error text, or to `undefined` on success. */
  readonly signIn: (credentials: Credentials) => Promise<string | undefined>;
}

const EMPTY: Credentials = { email: '', password: '', name: '' };
const HINT: FormState = { line: FORM_HINT, isError: false, isBusy: false };
const showing = (line: string): FormState => ({ line, isError: true, isBusy: false });
const isEmpty = ({ email, password, name }: Credentials) => email === '' && password === '' && name === '';

/**
 * Creates the logic of the credentials form (spec §4.1, §7; contract §3):
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
 */
export function createLoginForm({ clock, signIn }: Options): LoginForm {
  const state = cell<FormState>(HINT);
  let credentials = EMPTY;
  let hasChanged = false;
  let isDisposed = false;
  let cancelWait: Cancel | undefined;

  const wait = () => {
    cancelWait?.();
    cancelWait = clock.after(FORM_DEBOUNCE_MS, () => (isEmpty(credentials) ? state.set(HINT) : check()));
  };
  const check = () => {
    cancelWait?.();
    const error = credentialsError(credentials);
    if (error === null) void request();
    else state.set(showing(error));
  };
  const request = async () => {
    state.set({ ...HINT, isBusy: true });
    hasChanged = false;
    const error = await errorText(signIn(credentials));
    if (isDisposed) return;
    state.set(error === undefined ? HINT : showing(error));
    if (error !== undefined && hasChanged) wait();
  };

  return {
    state,
    input(next) {
      credentials = next;
      hasChanged = true;
      if (state.get().isBusy) return;
      if (credentialsError(credentials) === null) state.set(HINT);
      wait();
    },
    submit() {
      if (!state.get().isBusy) check();
    },
    dispose() {
      isDisposed = true;
      cancelWait?.();
    },
  };
}

/** Returns the answer's error text, clipped because the platform may send a megabyte; `undefined` when there is none. */
async function errorText(answer: Promise<string | undefined>): Promise<string | undefined> {
  try {
    const error = await answer;
    return error === '' ? UNKNOWN_ERROR : error && clip(error, NAME_LENGTH);
  } catch {
    return UNKNOWN_ERROR;
  }
}
