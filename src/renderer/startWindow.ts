import { systemClock } from '#shared/clock.ts';
import { createSignInForm } from './commands/createSignInForm.ts';
import { createWindowCommands, showOwnMessages } from './commands/createWindowCommands.ts';
import { createWorkList } from './commands/createWorkList.ts';
import { setUpVoice } from './listeners/setUpVoice.ts';
import { applyTheme, showAnswers, showNotices } from './listeners/showNotices.ts';
import { createTextMemory, sessionStorageOf } from './store/createTextMemory.ts';
import { createWindowStore } from './store/createWindowStore.ts';

/** Starts a window without what it draws and what it hears from the page: its store, its commands, and the listeners of main's messages. */
export function startWindow() {
  const storage = sessionStorageOf(window);
  const texts = createTextMemory(storage);
  const store = createWindowStore(window.parleySync, window.parleyTools, texts);
  const bridge = { parley: showOwnMessages(window.parley, store), tools: window.parleyTools };
  const clock = systemClock(globalThis);
  const works = createWorkList(clock);
  const signInForm = createSignInForm({
    clock,
    store,
    signIn: (credentials) => bridge.parley.invoke('auth', credentials),
  });
  const commands = createWindowCommands({ bridge, store, signInForm, texts, clock });
  showNotices(store, { signInForm, texts });
  showAnswers({ tools: bridge.tools, dispatch: store.dispatch });
  setUpVoice(bridge, { store, texts, works, storage });
  applyTheme(store, document.documentElement);
  return { store, texts, bridge, clock, works, signInForm, commands };
}
