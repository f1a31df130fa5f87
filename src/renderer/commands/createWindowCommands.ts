import { flushSync } from 'react-dom';
import { TEXT_LENGTH } from '#shared/limits.ts';
import { assistantSaveRequested, assistantTestRequested } from '#shared/actions/userActions.ts';
import {
  alertShown,
  assistantSubmitted,
  imageZoomed,
  textBoxEdited,
  textBoxRefused,
  textBoxSent,
} from '#shared/actions/windowActions.ts';
import type { Clock } from '#shared/clock.ts';
import type { ShownState } from '#shared/store/windowState.ts';
import type { WindowCommands } from '#ui/window/base/WindowCommands.ts';
import { createRest } from '../base/createRest.ts';
import type { Bridge } from '../base/bridge.ts';
import type { WindowStateStore } from '../store/windowStateStore.ts';
import type { TextMemory } from '../texts/createTextMemory.ts';
import { TEXT_TOO_LONG } from './composerTexts.ts';
import { openFind } from './openFind.ts';
import { offeredItems, sendFile, sendOffered } from './sendFile.ts';
import { sendTextAsFile } from './sendTextAsFile.ts';
import type { SignInForm } from './createSignInForm.ts';

interface Deps {
  readonly bridge: Bridge;
  readonly store: WindowStateStore & { readonly getState: () => Pick<ShownState, 'own' | 'preferences'> };
  readonly signInForm: SignInForm;
  readonly texts: Pick<TextMemory, 'recall' | 'pasted'>;
  readonly clock: Pick<Clock, 'after'>;
}

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
  return {
    ...actsOfViewer(store, clock),
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
      dispatch(textBoxSent());
      parley.send('message', { category: 'text', text, blob: null });
    },
    sendTextAsFile: () => void sendTextAsFile({ ...deps, texts }),
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

/** Creates the act that zooms the viewer, which is dispatched when it rests, or before the next act. */
function actsOfViewer(
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
