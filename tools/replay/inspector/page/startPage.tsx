import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import { decodeBase64 } from '#shared/image/decodeBase64.ts';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { createRoot } from 'react-dom/client';
import type { Source } from '../protocol/protocol.ts';
import { type InspectorConfig, elementText, readConfig, connectInspector } from './connectInspector.ts';
import { InspectorContext } from './session/InspectorContext.ts';
import { errorText, followTheme } from './session/inspectorStore.ts';
import { type Inspector, createInspector } from './session/createInspector.ts';
import { startOfHash } from './session/address.ts';
import { InspectorApp } from './shell/InspectorApp.tsx';

/** Renders the page into `root` and opens the session that its host provides. */
export function startPage(page: Document, root: HTMLElement): void {
  const config = readConfig(page);
  const inspector = createInspector(connectInspector(page, config), {
    height: () => innerHeight,
    foldsEdits: true,
  });
  followTheme(inspector.store, page.documentElement);
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

function openFirst(page: Document, config: InspectorConfig, inspector: Inspector): void {
  const { source, step, update, t } = config;
  if (source === null) return;
  if ('live' in source) {
    if (window.parleyInspect) inspector.openLive(window.parleyInspect);
    return;
  }
  const configured =
    update !== undefined ? { update } : t !== undefined ? { t } : step !== undefined ? { step } : undefined;
  try {
    void inspector.open(sourceOf(page, source), startOfHash(location.hash) ?? configured);
  } catch (error) {
    inspector.store.set({ phase: { kind: 'failed', name: source.name, text: errorText(error) } });
  }
}

/** Returns the capture to load first. @throws {Error} when the page contains it and it is damaged. */
function sourceOf(page: Document, source: Exclude<InspectorConfig['source'], null | { live: true }>): Source {
  const { name } = source;
  if ('url' in source) {
    const url = new URL(source.url, page.baseURI).href;
    return { kind: 'url', url, name, headers: pageSecretHeaders(window) };
  }
  const bytes = decodeBase64(elementText(page, source.elementId).trim());
  if (bytes === null) throw new Error('The capture in this page is damaged. Make the report again.');
  return { kind: 'file', file: new Blob([bytes]), name };
}
