import { createRoot } from 'react-dom/client';
import { pageSecretHeaders } from '#loopback/pageSecret.ts';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { connectInspector } from '../page/connectInspector.ts';
import { createInspector } from '../page/session/createInspector.ts';
import { followTheme } from '../page/session/theme.ts';
import { PairPage } from './PairPage.tsx';
import { createPair } from './createPair.ts';
import { readPairConfig } from './pairConfig.ts';

const view = {
  request: (callback: (now: number) => void) => requestAnimationFrame(callback),
  cancel: (handle: number) => cancelAnimationFrame(handle),
  height: () => innerHeight,
};

/** Renders two sessions side by side into `root`. */
export function startPairPage(page: Document, root: HTMLElement): void {
  const { title, a, b, by, start } = readPairConfig(page);
  const inspectorOf = ({ worker: url }: { worker: string }) =>
    createInspector(connectInspector(page, { worker: { url } }), view);
  const pair = createPair({ a: inspectorOf(a), b: inspectorOf(b) }, by);
  followTheme(pair.sides.a.store, page.documentElement);
  createRoot(root, logRenderErrors).render(
    <ErrorBoundary fallback={<PageFailure text="The sessions cannot be shown. Reload the page." />}>
      <PairPage pair={pair} title={title} labels={{ a: a.label, b: b.label }} />
    </ErrorBoundary>,
  );
  const sourceOf = ({ capture, label }: { capture: string; label: string }) =>
    ({
      kind: 'url',
      url: new URL(capture, page.baseURI).href,
      name: label,
      headers: pageSecretHeaders(window),
    }) as const;
  void pair.open({ a: sourceOf(a), b: sourceOf(b) }, start);
}
