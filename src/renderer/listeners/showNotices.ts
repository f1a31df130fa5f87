import type { WindowStateAction } from '#shared/actions/actionTable.ts';
import {
  alertShown,
  dialogClosed,
  noteShown,
  signInFormCleared,
  startFailureChanged,
  viewChanged,
  assistantAnswered,
  assistantShown,
  dialogOpened,
} from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import type { ParleyToolsBridge, SavedSession } from '#shared/ipc/channels.ts';
import type { AssistantResult } from '#shared/protocol/assistantSettings.ts';
import { type NoticesState, noNotices } from '#shared/store/notices.ts';
import type { SignInForm } from '../commands/createSignInForm.ts';
import type { TextMemory } from '../store/createTextMemory.ts';
import type { WindowStore } from '../store/createWindowStore.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';

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
export function showNotices(
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

const COPIED = 'The diagnostics are on the clipboard. They contain no names, addresses or messages.';
const NOT_COPIED = 'The diagnostics could not be copied: the clipboard is not allowed here.';

/** The browser's version, for a main that does not run in a browser. */
const BROWSER = /Chrome\/(?<version>[\d.]+)/.exec(globalThis.navigator?.userAgent ?? '')?.groups?.version;

const ASSISTANT_SAVED = 'Your choice of the assistant is saved. It applies from your next message on.';

interface AnswerDeps {
  readonly tools: Pick<ParleyToolsBridge, 'on'>;
  readonly dispatch: (action: WindowStateAction) => void;
}

/** Limits the texts of the endpoint. */
const limitResult = (result: AssistantResult): AssistantResult => {
  if (result.kind === 'failed') return { ...result, message: limitText(result.message) };
  if (result.kind === 'saved' || result.kind === 'chosen') return result;
  return { ...result, model: limitText(result.model), models: result.models.map(limitText) };
};

const savedNote = (session: SavedSession) =>
  noteShown(
    'path' in session ? { text: 'This session is saved in', path: session.path } : { text: session.error },
  );

/** Follows what main sends to this window only: shows its answers, and the dialogs that a person chose in this window or in the application menu. */
export function showAnswers({ tools, dispatch }: AnswerDeps): void {
  const note = (text: string) => dispatch(noteShown({ text }));
  tools.on('saved', (session) => dispatch(savedNote(session)));
  tools.on('diagnosticsCopied', (isCopied) => note(isCopied ? COPIED : NOT_COPIED));
  tools.on('voiceNote', note);
  tools.on('settings', (contents) => dispatch(dialogOpened({ dialog: 'settings', contents })));
  tools.on('assistant', (contents) => dispatch(dialogOpened({ dialog: 'assistant', contents })));
  tools.on('models', () => dispatch(dialogOpened({ dialog: 'models' })));
  tools.on('assistantInUse', (inUse) => dispatch(assistantShown(inUse)));
  tools.on('assistantResult', (result) => {
    dispatch(assistantAnswered({ result: limitResult(result) }));
    if (result.kind === 'saved') note(ASSISTANT_SAVED);
  });
  tools.on('deleteData', (contents) => dispatch(dialogOpened({ dialog: 'deleteData', contents })));
  tools.on('export', () => dispatch(dialogOpened({ dialog: 'export' })));
  tools.on('about', (about) =>
    dispatch(
      dialogOpened({ dialog: 'about', contents: { ...about, chromium: about.chromium ?? BROWSER ?? null } }),
    ),
  );
}

/**
 * Applies the theme of the preferences to the page when main's state arrives and when it changes; `system` follows the operating system. Until then
 * the page keeps the theme with which main served it: the store's initial preferences are not the person's.
 */
export function applyTheme({ getState, subscribe }: WindowStore, page: HTMLElement): void {
  let applied = getState().preferences;
  subscribe(() => {
    const { preferences } = getState();
    if (preferences === applied) return;
    applied = preferences;
    page.dataset.theme = preferences.theme;
  });
}
