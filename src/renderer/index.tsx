// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { systemClock } from '#shared/clock.ts';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { App } from '#ui/window/App.tsx';
import { WindowCommandsContext } from '#ui/window/base/WindowCommands.ts';
import { createSignInForm } from './commands/createSignInForm.ts';
import { createWindowCommands } from './commands/createWindowCommands.ts';
import { showOwnMessages } from './commands/showOwnMessages.ts';
import { applyTheme } from './applyTheme.ts';
import { setUpVoice } from './audio/setUpVoice.ts';
import { followCopy } from './follow/followCopy.ts';
import { followDrags } from './follow/followDrags.ts';
import { followExpanded } from './follow/followExpanded.ts';
import { followFind } from './follow/followFind.ts';
import { followKeys } from './follow/followKeys.ts';
import { followNotices } from './follow/followNotices.ts';
import { followPlace } from './follow/followPlace.ts';
import { followPaste } from './follow/followPaste.ts';
import { followPrint } from './follow/followPrint.ts';
import { followScroll } from './follow/followScroll.ts';
import { followSize } from './follow/followSize.ts';
import { followTools } from './follow/followTools.ts';
import { followUndo } from './follow/followUndo.ts';
import { refuseDrops } from './refuseDrops.ts';
import { createWindowStore } from './store/createWindowStore.ts';
import { createTextMemory } from './texts/createTextMemory.ts';
import { sessionStorageOf } from './texts/sessionStorageOf.ts';
import { createWorkCommands } from './longWork/createWorkCommands.ts';
import '#ui/base/tokens.css';
import '#ui/messages.css';
import '#ui/markup/markup.css';
import '#ui/export/exported.css';
import '#ui/window/base/base.css';
import '#ui/window/shell/titleBar.css';
import '#ui/window/shell/connectionBar.css';
import '#ui/window/login.css';
import '#ui/window/conversation/conversation.css';
import '#ui/window/conversation/composer.css';
import '#ui/window/conversation/find.css';
import '#ui/window/conversation/place.css';
import '#ui/window/actions/actions.css';
import '#ui/window/shell/menu.css';
import '#ui/window/viewer/viewer.css';
import '#ui/window/dialogs/dialog.css';
import '#ui/window/dialogs/assistant.css';
import '#ui/window/shell/alert.css';
import '#ui/window/shell/note.css';
import '#ui/window/conversation/voice.css';
// Last: it replaces rules of the others.
import '#ui/export/print.css';

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
const workCommands = createWorkCommands(store, clock);
const commands = { ...createWindowCommands({ bridge, store, signInForm, texts, clock }), ...workCommands };
// Before the first render: main's state and its messages come as soon as the page has loaded.
followNotices(store, { signInForm, texts });
followTools({ tools: bridge.tools, dispatch });
setUpVoice(bridge, { store, texts, works: workCommands.works, storage });
applyTheme(store, document.documentElement);
followDrags(window, store);
followPlace(window, store);
followExpanded(store);
followSize(window, store, clock);
followScroll(window, store, clock);
followCopy(window, store);
followKeys(window, store);
followUndo(window, store, texts);
followPaste(window, store, { pasteFiles: commands.pasteFiles, pasted: texts.pasted });
followFind({ target: window, tools: bridge.tools }, store);
followPrint(bridge.tools, store, () => void workCommands.print());
refuseDrops(window);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html must have an element with the id "root".');
const failure = <PageFailure text="This window cannot be shown. Reload it; your conversation is kept." />;
createRoot(root, logRenderErrors).render(
  <ErrorBoundary fallback={failure}>
    <Provider store={store}>
      <WindowCommandsContext value={commands}>
        <App />
      </WindowCommandsContext>
    </Provider>
  </ErrorBoundary>,
);
