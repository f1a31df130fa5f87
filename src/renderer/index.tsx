// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { systemClock } from '#shared/time/systemClock.ts';
import { ErrorBoundary } from '#ui/failure/ErrorBoundary.tsx';
import { PageFailure } from '#ui/failure/PageFailure.tsx';
import { logRenderErrors } from '#ui/failure/logRenderErrors.ts';
import { App } from '#ui/window/App.tsx';
import { WindowActsContext } from '#ui/window/base/WindowActs.ts';
import { createSignInForm } from './acts/createSignInForm.ts';
import { createWindowActs } from './acts/createWindowActs.ts';
import { showOwnMessages } from './acts/showOwnMessages.ts';
import { applyTheme } from './applyTheme.ts';
import { setUpVoice } from './audio/setUpVoice.ts';
import { followAccount } from './follow/followAccount.ts';
import { followDrags } from './follow/followDrags.ts';
import { followFind } from './follow/followFind.ts';
import { followKeys } from './follow/followKeys.ts';
import { followPlace } from './follow/followPlace.ts';
import { followPaste } from './follow/followPaste.ts';
import { followPrint } from './follow/followPrint.ts';
import { followTools } from './follow/followTools.ts';
import { followUndo } from './follow/followUndo.ts';
import { refuseDrops } from './refuseDrops.ts';
import { createWindowStore } from './store/createWindowStore.ts';
import { createTextMemory } from './texts/createTextMemory.ts';
import { sessionStorageOf } from './texts/sessionStorageOf.ts';
import { createWorkActs } from './longWork/createWorkActs.ts';
import '#ui/styles/tokens.css';
import '#ui/styles/messages.css';
import '#ui/styles/markup.css';
import '#ui/export/exported.css';
import '#ui/window/styles/base.css';
import '#ui/window/styles/titleBar.css';
import '#ui/window/styles/connectionBar.css';
import '#ui/window/styles/login.css';
import '#ui/window/styles/conversation.css';
import '#ui/window/styles/composer.css';
import '#ui/window/styles/find.css';
import '#ui/window/styles/place.css';
import '#ui/window/styles/actions.css';
import '#ui/window/styles/menu.css';
import '#ui/window/styles/viewer.css';
import '#ui/window/styles/dialog.css';
import '#ui/window/styles/assistant.css';
import '#ui/window/styles/alert.css';
import '#ui/window/styles/note.css';
import '#ui/window/styles/voice.css';
// Last: it replaces rules of the others.
import '#ui/styles/print.css';

const storage = sessionStorageOf(window);
const texts = createTextMemory(storage);
const store = createWindowStore(window.parleySync, window.parleyTools, texts);
const bridge = { parley: showOwnMessages(window.parley, store), tools: window.parleyTools };
const { dispatch } = store;
const clock = systemClock(globalThis);
const signInForm = createSignInForm({
  clock,
  store,
  signIn: (credentials) => bridge.parley.invoke('auth', credentials),
});
const workActs = createWorkActs(store, clock);
const acts = { ...createWindowActs({ bridge, store, signInForm, texts }), ...workActs };
// Before the first render: main sends messages as soon as the page has loaded.
followAccount({ parley: bridge.parley, dispatch }, (account) => {
  signInForm.reset();
  texts.setAccount(account);
});
followTools({ tools: bridge.tools, dispatch }, signInForm.reset);
setUpVoice(bridge, { store, texts, works: workActs.works, storage });
applyTheme(store, document.documentElement);
followDrags(window, store);
followPlace(window, store);
followKeys(window, store);
followUndo(window, store, texts);
followPaste(window, store, { pasteFiles: acts.pasteFiles, pasted: texts.pasted });
followFind({ target: window, tools: bridge.tools }, store);
followPrint(bridge.tools, store, () => void workActs.print());
refuseDrops(window);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html must have an element with the id "root".');
const failure = <PageFailure text="This window cannot be shown. Reload it; your conversation is kept." />;
createRoot(root, logRenderErrors).render(
  <ErrorBoundary fallback={failure}>
    <Provider store={store}>
      <WindowActsContext value={acts}>
        <App />
      </WindowActsContext>
    </Provider>
  </ErrorBoundary>,
);
