// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { warmUp } from '#ui/markdown/warmUp.tsx';
import { App } from '#ui/window/App.tsx';
import { WindowCommandsContext } from '#ui/window/base/WindowCommands.ts';
import { reportCopies, handleDrags, handlePaste, refuseDrops } from './listeners/handleTransfers.ts';
import { hideGoneExpansions, reportPlace, reportScroll, reportPageSize } from './listeners/reportView.ts';
import { handleFind, handleKeys, handlePrint, handleUndo } from './listeners/handleKeys.ts';
import { createWorkCommands } from './commands/createWorkCommands.ts';
import { startWindow } from './startWindow.ts';
import '#ui/base/tokens.css';
import '#ui/messages.css';
import '#ui/notices.css';
import '#ui/markup/markup.css';
import '#ui/markdown/markdown.css';
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

// Before the first render: main's state and its messages come as soon as the page has loaded.
const { store, texts, bridge, clock, works, commands: windowCommands } = startWindow();
const workCommands = createWorkCommands(store, works);
const commands = { ...windowCommands, ...workCommands, works };
handleDrags(window, store);
reportPlace(window, store);
hideGoneExpansions(store);
reportPageSize(window, store, clock);
reportScroll(window, store, clock);
reportCopies(window, store);
handleKeys(window, store);
handleUndo(window, store, texts);
handlePaste(window, store, { pasteFiles: commands.pasteFiles, pasted: texts.pasted });
handleFind({ target: window, tools: bridge.tools }, store);
handlePrint(bridge.tools, store, () => void workCommands.print());
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
requestIdleCallback(() => void warmUp());
