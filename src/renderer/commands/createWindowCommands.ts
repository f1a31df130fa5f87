import { flushSync } from 'react-dom';
import { assistantSaveRequested, assistantTestRequested } from '#shared/actions/userActions.ts';
import {
  alertShown,
  assistantSubmitted,
  imageZoomed,
  textBoxEdited,
  textBoxRefused,
  textBoxSent,
  findOpened,
} from '#shared/actions/windowActions.ts';
import { limitText } from '#shared/actions/windowSchemas.ts';
import type { Clock } from '#shared/clock.ts';
import type { ParleyBridge } from '#shared/ipc/channels.ts';
import { TEXT_LENGTH } from '#shared/limits.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import { scrollFor } from '#ui/useListHandle.ts';
import { lastQuestion } from '#ui/window/actions/lastQuestion.ts';
import type { WindowCommands } from '#ui/window/base/WindowCommands.ts';
import { type Bridge, type WindowStateStore, showsConversation } from '../store/windowStateStore.ts';
import type { TextMemory } from '../store/createTextMemory.ts';
import { createRest } from './createRest.ts';
import type { SignInForm } from './createSignInForm.ts';
import { TEXT_TOO_LONG, offeredItems, sendFile, sendOffered, sendTextAsFile } from './sendFile.ts';

interface Deps {
  readonly bridge: Bridge;
  readonly store: Omit<WindowStateStore, 'getState'> & { readonly getState: () => StateOfCommands };
  readonly signInForm: SignInForm;
  readonly texts: Pick<TextMemory, 'recall' | 'pasted'>;
  readonly clock: Pick<Clock, 'after'>;
}

type StateOfCommands = Pick<ShownState, 'own' | 'preferences' | 'conversation' | 'words'>;

/** The commands that `createWorkCommands` creates. */
type OtherCommands = 'works' | 'copyLater' | 'exportConversation' | 'print';

/** Creates what the window's components do: each user action is dispatched before its effect. */
export function createWindowCommands({
  bridge,
  store,
  signInForm,
  texts,
  clock,
}: Deps): Omit<WindowCommands, OtherCommands> {
  const { parley, tools } = bridge;
  const { dispatch, getState } = store;
  const send: WindowCommands['send'] = (action) => tools.send('action', action);
  const deps = { parley, dispatch, getState };
  const sender = () => (isEditing(getState()) ? sendingEdit(parley) : parley);
  return {
    ...viewerCommands(store, clock),
    send,
    minimize: () => parley.send('nav', 'minimize'),
    close: () => parley.send('nav', 'close'),
    logOut: () => parley.send('logout'),
    testAssistant(change) {
      dispatch(assistantSubmitted({ work: 'test' }));
      send(assistantTestRequested(change));
    },
    saveAssistant(change) {
      dispatch(assistantSubmitted({ work: 'save' }));
      send(assistantSaveRequested(change));
    },
    editSignIn: signInForm.edit,
    submitSignIn: signInForm.submit,
    sendText() {
      const text = getState().own.textBox;
      if (text === null || text === '') return;
      if (text.length >= TEXT_LENGTH) {
        dispatch(textBoxRefused({ length: text.length }));
        dispatch(alertShown({ text: TEXT_TOO_LONG }));
        return;
      }
      const { send: sendMessage } = sender();
      dispatch(textBoxSent());
      sendMessage('message', { category: 'text', text, blob: null });
    },
    sendTextAsFile: () => void sendTextAsFile({ ...deps, texts, parley: sender() }),
    sendWord: (word) => parley.send('message', { category: 'text', text: word, blob: null }),
    recallText(direction) {
      const text = texts.recall(direction, getState().own.textBox ?? '');
      if (text === undefined) return false;
      // Synchronous, so that the caret can be set in the recalled text.
      flushSync(() => dispatch(textBoxEdited({ text })));
      return true;
    },
    sendFile: (file) => void sendFile(file, deps),
    dropFile(data) {
      // Its first item is used (spec §4.4.2): an address, for example, is not a file.
      if (data.items[0]?.kind === 'file') void sendOffered(offeredItems(data), deps);
    },
    pasteFiles: (data) => void sendOffered(offeredItems(data), deps),
    openFind: () => openFind(store),
    focus: (element, options) => element?.focus(options),
    showModal: (dialog) => dialog?.showModal(),
  };
}

/** Returns whether the text of the text box replaces the last question. In the meantime, another window may have asked another one. */
function isEditing(state: StateOfCommands): boolean {
  const { editing } = state.own;
  return editing !== undefined && limitText(lastQuestion(state)?.message.id ?? '') === editing;
}

/** Returns the bridge that sends the word `edit` before a message, which then replaces the last question (contract §9). */
const sendingEdit = (parley: ParleyBridge): ParleyBridge => ({
  ...parley,
  send(channel, ...args) {
    if (channel === 'message') parley.send('message', { category: 'text', text: 'edit', blob: null });
    parley.send(channel, ...args);
  },
});

/** Creates the command that zooms the viewer: the zoom is dispatched when it rests, or before the next action. */
function viewerCommands(
  { dispatch, getState }: WindowStateStore,
  clock: Deps['clock'],
): Pick<WindowCommands, 'dispatch' | 'zoomImage'> {
  const zoom = createRest(clock);
  return {
    dispatch(action) {
      zoom.now();
      dispatch(action);
    },
    zoomImage: (to) =>
      zoom.after(() => {
        if (getState().own.viewer !== null) dispatch(imageZoomed(to));
      }),
  };
}

/** Opens the find bar of a window that shows the conversation. When it is open already, selects its text. */
export function openFind({ getState, dispatch }: WindowStateStore): void {
  const { own } = getState();
  if (!showsConversation(own)) return;
  // Synchronous, so that the next key already goes to the bar.
  if (own.find === null) flushSync(() => dispatch(findOpened()));
  else document.querySelector<HTMLInputElement>('search input')?.select();
}

interface Store {
  readonly getState: () => Pick<ShownState, 'connection' | 'preferences'>;
}

/**
 * Returns the bridge that also shows the end of the conversation when this window sends a message: with the preference `stayWhereIRead`, the update that
 * returns it does not scroll. Without a connection the message is dropped (spec §7), and nothing moves.
 */
export const showOwnMessages = (parley: ParleyBridge, { getState }: Store): ParleyBridge => ({
  ...parley,
  send(channel, ...args) {
    parley.send(channel, ...args);
    const { connection, preferences } = getState();
    if (channel !== 'message' || !preferences.stayWhereIRead || connection.status !== 'connected') return;
    const log = document.querySelector<HTMLElement>('[role="log"]');
    if (log !== null) scrollFor(log, { top: log.scrollHeight });
  },
});
