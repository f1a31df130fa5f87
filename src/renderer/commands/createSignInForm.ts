import { clip } from '#shared/formatText.ts';
import { FORM_DEBOUNCE_MS } from '#shared/limits.ts';
import { type Credentials, UNKNOWN_ERROR, credentialsError } from '#shared/protocol/credentials.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import {
  signInFormAnswered,
  signInFormChecked,
  signInFormEdited,
  signInFormSubmitted,
} from '#shared/actions/windowActions.ts';
import { NAME_LENGTH } from '#ui/base/longText.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

/** The logic of the sign-in form. */
export interface SignInForm {
  /** Called when fields change. */
  readonly edit: (fields: Partial<Credentials>) => void;
  /** Called on Enter or the button: requests a check of the form, also without a change. */
  readonly submit: () => void;
  /** Drops the fields: it checks nothing more and ignores late answers, until it is edited again. */
  readonly reset: () => void;
}

interface Options {
  readonly clock: Clock;
  readonly store: WindowStateStore;
  /** Signs in; resolves to an error text, or to `undefined` on success. */
  readonly signIn: (credentials: Credentials) => Promise<string | undefined>;
}

const EMPTY: Credentials = { email: '', password: '', name: '' };
const isEmpty = ({ email, password, name }: Credentials) => email === '' && password === '' && name === '';

/**
 * Creates the logic of the sign-in form (spec §4.1, §7; contract §3):
 *
 *                              input, Enter ┌──┐
 *                                           │  ▼
 *     resting ────── input or Enter ──────▶ waiting ── 2 s since the last input and the last request ──▶ checked
 *      ▲ ▲                                     ▲                                                          │  │
 *      │ │                                     │                        not valid: its first error        │  │ valid
 *      │ └─────────────────────────────────────┼──────────────────────────────────────────────────────────┘  ▼
 *      │                                       └──────────── refused, input meanwhile ────────────────── requesting
 *      └──────────────────────────────────────────────────── answered ───────────────────────────────────────┘
 *
 * It sends one request at a time. An input that makes the form valid shows the hint immediately. An empty form is checked only after
 * Enter, which also shows at once that a valid form will be sent. The password is only here and in its element.
 */
export function createSignInForm({ clock, store, signIn }: Options): SignInForm {
  const { isBusy, show, showBusy } = createDisplay(store);
  const requests = createRequests(store, signIn);
  let credentials = EMPTY;
  let isSubmitted = false;
  let hasChanged = false;

  const check = () => {
    const error = credentialsError(credentials);
    if (error === null) void request();
    else show(isSubmitted || !isEmpty(credentials) ? error : null);
    isSubmitted = false;
  };
  const request = async () => {
    showBusy();
    hasChanged = false;
    pause.restart();
    const isRefused = await requests.request(credentials);
    if (isRefused && hasChanged) checkAfterInput();
  };
  const pause = createPause(clock, check);
  const checkAfterInput = () => {
    pause.restart();
    pause.runAfter();
  };

  return {
    edit(fields) {
      credentials = { ...credentials, ...fields };
      hasChanged = true;
      store.dispatch(signInFormEdited(credentials));
      if (requests.isRequesting()) return;
      isSubmitted = false;
      if (isBusy() || credentialsError(credentials) === null) show(null);
      checkAfterInput();
    },
    submit() {
      if (requests.isRequesting()) return;
      isSubmitted = true;
      if (credentialsError(credentials) === null) showBusy();
      pause.runAfter();
    },
    reset() {
      credentials = EMPTY;
      isSubmitted = false;
      requests.forget();
      pause.cancel();
    },
  };
}

/** Creates the requests of the form: one at a time. */
function createRequests({ dispatch }: WindowStateStore, signIn: Options['signIn']) {
  let current: object | undefined;
  return {
    isRequesting: () => current !== undefined,
    /** Ignores the answer to the request in progress. */
    forget() {
      current = undefined;
    },
    /** Signs in and shows the answer. Resolves to whether the platform refused; also to `false` when the answer is ignored. */
    async request(credentials: Credentials): Promise<boolean> {
      const request = {};
      current = request;
      const error = await answerOf(signIn(credentials));
      if (current !== request) return false;
      current = undefined;
      dispatch(signInFormAnswered({ error }));
      return error !== null;
    },
  };
}

/** Creates the functions that change what the form shows; they dispatch no action that changes nothing. */
function createDisplay({ getState, dispatch }: WindowStateStore) {
  const shown = () => getState().own.signInForm;
  return {
    isBusy: () => shown().isBusy,
    show(error: string | null) {
      if (shown().isBusy || shown().error !== error) dispatch(signInFormChecked({ error }));
    },
    showBusy() {
      if (!shown().isBusy) dispatch(signInFormSubmitted());
    },
  };
}

/** Creates the pause of 2000 ms after the last input and the last request (spec §8 form debounce). */
function createPause(clock: Clock, task: () => void) {
  let end = clock.now();
  let cancel: Cancel | undefined;
  return {
    restart() {
      end = clock.now() + FORM_DEBOUNCE_MS;
    },
    /** Runs the task after the pause; at once when it is over. */
    runAfter() {
      cancel?.();
      const rest = end - clock.now();
      if (rest > 0) cancel = clock.after(rest, task);
      else task();
    },
    cancel: () => cancel?.(),
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
