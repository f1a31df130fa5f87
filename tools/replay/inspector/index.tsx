// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { takePageSecret } from '#loopback/pageSecret.ts';
import { startPage } from './page/startPage.tsx';
import '#ui/base/tokens.css';
import '#ui/messages.css';
import '#ui/markup/markup.css';
import './page/styles/base.css';
import './page/styles/shell.css';
import './page/styles/parts.css';
import './page/styles/timeline.css';
import './page/styles/controls.css';
import './page/styles/steps.css';
import './page/styles/panes.css';
import './page/styles/whatIf.css';
import './page/styles/dialog.css';
import './page/styles/app.css';

takePageSecret(window);
const root = document.getElementById('root');
if (root === null) throw new Error('The page must have an element with the id "root".');
startPage(document, root);
