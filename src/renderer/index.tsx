import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { App } from './App.tsx';
import { createAlerts } from './alerts.ts';
import { followAccount } from './followAccount.ts';
import { followNotes } from './followNotes.ts';
import { refuseDrops } from './refuseDrops.ts';
import { createWindowStore } from './store.ts';
import '#ui/styles/tokens.css';
import '#ui/styles/messages.css';
import './styles/base.css';
import './styles/titleBar.css';
import './styles/login.css';
import './styles/conversation.css';
import './styles/alert.css';
import './styles/note.css';

const bridge = { parley: window.parley, tools: window.parleyTools };
const alerts = createAlerts();
// Before anything is drawn: main speaks as soon as the page has loaded.
const view = followAccount(bridge.parley, alerts.show);
const note = followNotes(bridge.tools);
const store = createWindowStore(window.parleySync);
refuseDrops(window);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html must have an element with the id "root".');
createRoot(root).render(
  <Provider store={store}>
    <App bridge={bridge} view={view} alerts={alerts} note={note} />
  </Provider>,
);
