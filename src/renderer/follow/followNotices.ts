import {
  alertShown,
  dialogClosed,
  noteShown,
  signInFormCleared,
  startFailureChanged,
  viewChanged,
} from '#shared/actions/windowActions.ts';
import { type NoticesState, noNotices } from '#shared/store/notices.ts';
import type { SignInForm } from '../commands/createSignInForm.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import type { TextMemory } from '../texts/createTextMemory.ts';

interface NoticesStore extends WindowStateStore {
  readonly getState: () => ReturnType<WindowStateStore['getState']> & { readonly notices: NoticesState };
  readonly subscribe: (listener: () => void) => unknown;
}

interface Deps {
  readonly signInForm: Pick<SignInForm, 'reset'>;
  readonly texts: Pick<TextMemory, 'setAccount'>;
}

/**
 * Shows what is new in main's notices: the view of the account, the reason of a sign-out, why the conversation is not opened, and sentences. Clears what the window
 * shows of data that was deleted. A window whose state has just arrived shows what is there; one that missed actions shows what is new to it.
 */
export function followNotices(
  { getState, dispatch, subscribe }: NoticesStore,
  { signInForm, texts }: Deps,
): void {
  let shown = noNotices;
  const show = (before: NoticesState, { account, deletions, ...now }: NoticesState) => {
    if (account === null) return;
    if (account !== before.account) {
      signInForm.reset();
      texts.setAccount(account);
      dispatch(viewChanged({ view: account === false ? 'login' : 'conversation' }));
    }
    const { startFailure: failure } = now;
    if (failure?.canSave !== getState().own.startFailure?.canSave) dispatch(startFailureChanged({ failure }));
    if (before.account !== null && deletions > before.deletions) {
      signInForm.reset();
      // Also in windows that did not request it: what their dialogs and forms show is deleted.
      dispatch(dialogClosed());
      dispatch(signInFormCleared());
    }
    const newText = (kind: 'signOutReason' | 'standing' | 'passing') =>
      now[kind]?.id === before[kind]?.id && now[kind]?.text === before[kind]?.text
        ? undefined
        : now[kind]?.text;
    const reason = newText('signOutReason');
    if (reason !== undefined) dispatch(alertShown({ text: reason }));
    for (const text of [newText('standing'), newText('passing')])
      if (text !== undefined) dispatch(noteShown({ text }));
  };
  subscribe(() => {
    const { notices } = getState();
    if (notices === shown) return;
    const before = shown;
    // Before it is shown, which changes the window's state.
    shown = notices;
    show(before, notices);
  });
}
