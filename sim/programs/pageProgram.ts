import { systemClock } from '#shared/clock.ts';
import { createSignInForm } from '#renderer/commands/createSignInForm.ts';
import { createWindowCommands, showOwnMessages } from '#renderer/commands/createWindowCommands.ts';
import { createWorkList } from '#renderer/commands/createWorkList.ts';
import { setUpVoice } from '#renderer/listeners/setUpVoice.ts';
import { applyTheme, showAnswers, showNotices } from '#renderer/listeners/showNotices.ts';
import { createTextMemory, sessionStorageOf } from '#renderer/store/createTextMemory.ts';
import { createWindowStore } from '#renderer/store/createWindowStore.ts';

/*
 * A window of the messenger without what it draws: `src/renderer/index.tsx` without React and the listeners of the DOM. The simulated person uses what the components
 * use: the commands, the form and the store.
 */
const storage = sessionStorageOf(window);
const texts = createTextMemory(storage);
export const store = createWindowStore(window.parleySync, window.parleyTools, texts);
const bridge = { parley: showOwnMessages(window.parley, store), tools: window.parleyTools };
const clock = systemClock(globalThis);
export const signInForm = createSignInForm({
  clock,
  store,
  signIn: (credentials) => bridge.parley.invoke('auth', credentials),
});
export const commands = createWindowCommands({ bridge, store, signInForm, texts, clock });
const works = createWorkList(clock);
showNotices(store, { signInForm, texts });
showAnswers({ tools: bridge.tools, dispatch: store.dispatch });
setUpVoice(bridge, { store, texts, works, storage });
applyTheme(store, document.documentElement);
export const drafts = { draft: texts.draft };
