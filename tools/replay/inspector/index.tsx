// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { takePageSecret } from '#loopback/pageSecret.ts';
import { startPage } from './page/startPage.tsx';
import '#ui/base/tokens.css';
import '#ui/messages.css';
import '#ui/markup/markup.css';
import './page/base.css';
import './page/shell/shell.css';
import './page/parts/parts.css';
import './page/timeline/timeline.css';
import './page/shell/controls.css';
import './page/steps/steps.css';
import './page/panes/panes.css';
import './page/whatif/whatIf.css';
import './page/parts/dialog.css';
import './page/picture/app.css';

takePageSecret(window);
const root = document.getElementById('root');
if (root === null) throw new Error('The page must have an element with the id "root".');
startPage(document, root);
