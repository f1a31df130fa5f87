// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import { takePageSecret } from '#loopback/pageSecret.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { createRoot } from 'react-dom/client';
import {
  type InspectorConfig,
  elementText,
  readConfig,
  connectInspector,
  urlSource,
} from './page/connectInspector.ts';
import { InspectorContext } from './page/session/InspectorContext.ts';
import { type Inspector, createInspector } from './page/session/createInspector.ts';
import { startOfHash } from './page/session/address.ts';
import { InspectorApp } from './page/shell/InspectorApp.tsx';
import '#ui/base/tokens.css';
import '#ui/messages.css';
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

/** Renders the page into `root` and opens the session that its host provides. */
function startPage(page: Document, root: HTMLElement): void {
  const config = readConfig(page);
  const inspector = createInspector(connectInspector(page, config.worker), {
    foldsEdits: true,
    sourceHost: config.makeTest ? 'server' : window.parleyInspect,
  });
  inspector.followHash();
  const failure = <PageFailure text="The inspector cannot be shown. Reload it, or open another capture." />;
  createRoot(root, logRenderErrors).render(
    <ErrorBoundary fallback={failure}>
      <InspectorContext value={inspector}>
        <InspectorApp canMakeTest={config.makeTest} />
      </InspectorContext>
    </ErrorBoundary>,
  );
  openFirst(page, config, inspector);
}

function openFirst(page: Document, { source, step, update, t }: InspectorConfig, inspector: Inspector): void {
  if (source === null) return;
  if ('live' in source) return window.parleyInspect && inspector.openLive(window.parleyInspect);
  const { name } = source;
  const configured =
    update !== undefined ? { update } : t !== undefined ? { t } : step !== undefined ? { step } : undefined;
  const start = startOfHash(location.hash) ?? configured;
  if ('url' in source) return void inspector.open(urlSource(page, source.url, name), start);
  const bytes = decodeBase64(elementText(page, source.elementId).trim());
  if (bytes !== null) return void inspector.open({ kind: 'file', file: new Blob([bytes]), name }, start);
  const text = 'The capture in this page is damaged. Make the report again.';
  inspector.store.set({ phase: { kind: 'failed', name, text } });
}

takePageSecret(window);
const root = document.getElementById('root');
if (root === null) throw new Error('The page must have an element with the id "root".');
startPage(document, root);
