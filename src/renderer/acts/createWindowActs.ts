import { TEXT_LENGTH } from '#shared/limits.ts';
import { alertShown } from '#shared/window/alerts.ts';
import { textBoxRefused, textBoxSent } from '#shared/window/textBox.ts';
import type { WindowActs } from '#ui/window/base/WindowActs.ts';
import type { Bridge } from '../base/bridge.ts';
import type { OwnStore } from '../store/ownStore.ts';
import { TEXT_TOO_LONG } from './composerTexts.ts';
import { droppedFile, sendFile } from './sendFile.ts';
import type { SignInForm } from './createSignInForm.ts';

interface Deps {
  readonly bridge: Bridge;
  readonly store: OwnStore;
  readonly signInForm: SignInForm;
}

/** Creates what the window's components do: each act is dispatched before its effect. */
export function createWindowActs({ bridge, store, signInForm }: Deps): WindowActs {
  const { parley, tools } = bridge;
  const { dispatch, getState } = store;
  const send = (file: File) => void sendFile(file, { parley, dispatch });
  return {
    dispatch,
    request: (channel) => tools.send(channel),
    minimize: () => parley.send('nav', 'minimize'),
    close: () => parley.send('nav', 'close'),
    logOut: () => parley.send('logout'),
    setPreference: (change) => tools.send('setPreference', change),
    deleteData: (choice) => tools.send('deleteData', choice),
    play: (place) => tools.send('play', place),
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
    sendFile: send,
    dropFile(data) {
      const file = droppedFile(data, dispatch);
      if (file) send(file);
    },
    focus: (element, options) => element?.focus(options),
    showModal: (dialog) => dialog?.showModal(),
  };
}
