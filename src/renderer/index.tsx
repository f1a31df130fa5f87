// First: modules create validators when they load.
import './withoutEval.ts';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { ErrorBoundary } from '#ui/failure/ErrorBoundary.tsx';
import { PageFailure } from '#ui/failure/PageFailure.tsx';
import { logRenderErrors } from '#ui/failure/logRenderErrors.ts';
import { App } from './App.tsx';
import { AudioProvider } from './audio/AudioProvider.tsx';
import { setUpVoice } from './audio/setUpVoice.ts';
import { createAlerts } from './shell/alerts.ts';
import { applyTheme } from './applyTheme.ts';
import { followDialogs } from './dialogs/followDialogs.ts';
import { followAccount } from './shell/followAccount.ts';
import { followNotes } from './shell/followNotes.ts';
import { followStartFailure } from './shell/followStartFailure.ts';
import { refuseDrops } from './refuseDrops.ts';
import { createWindowStore } from './store/createWindowStore.ts';
import '#ui/styles/tokens.css';
import '#ui/styles/messages.css';
import './styles/base.css';
import './styles/titleBar.css';
import './styles/login.css';
import './styles/conversation.css';
import './styles/menu.css';
import './styles/dialog.css';
import './styles/alert.css';
import './styles/note.css';
import './styles/voice.css';

const bridge = { parley: window.parley, tools: window.parleyTools };
const alerts = createAlerts();
// Before the first render: main sends messages as soon as the page has loaded.
const view = followAccount(bridge.parley, alerts.show);
const note = followNotes(bridge.tools);
const dialog = followDialogs(bridge.tools);
const startFailure = followStartFailure(bridge.tools);
const store = createWindowStore(window.parleySync);
applyTheme(store, document.documentElement);
const progress = setUpVoice({ bridge, store, alert: alerts.show, note: (text) => note.set({ text }) });
refuseDrops(window);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html must have an element with the id "root".');
const failure = <PageFailure text="This window cannot be shown. Reload it; your conversation is kept." />;
createRoot(root, logRenderErrors).render(
  <ErrorBoundary fallback={failure}>
    <Provider store={store}>
      <AudioProvider tools={bridge.tools} progress={progress}>
        <App
          bridge={bridge}
          view={view}
          alerts={alerts}
          note={note}
          dialog={dialog}
          startFailure={startFailure}
        />
      </AudioProvider>
    </Provider>
  </ErrorBoundary>,
);
