// First: modules create validators when they load.
import '#shared/withoutEval.ts';
import './pair/pair.css';
import * as z from 'zod/mini';
import { takePageSecret } from '#loopback/pageSecret.ts';
import { ErrorBoundary, PageFailure, logRenderErrors } from '#ui/base/ErrorBoundary.tsx';
import { createRoot } from 'react-dom/client';
import { elementText, connectInspector, urlSource } from './page/connectInspector.ts';
import { createInspector } from './page/session/createInspector.ts';
import { PairPage } from './pair/PairPage.tsx';
import { createPair } from './pair/createPair.ts';

/** Renders two sessions side by side into `root`. */
function startPairPage(page: Document, root: HTMLElement): void {
  const { title, a, b, by, start } = readPairConfig(page);
  const inspectorOf = ({ worker: url }: { worker: string }) =>
    createInspector(connectInspector(page, { url }));
  const pair = createPair({ a: inspectorOf(a), b: inspectorOf(b) }, by);
  createRoot(root, logRenderErrors).render(
    <ErrorBoundary fallback={<PageFailure text="The sessions cannot be shown. Reload the page." />}>
      <PairPage pair={pair} title={title} labels={{ a: a.label, b: b.label }} />
    </ErrorBoundary>,
  );
  const sources = { a: urlSource(page, a.capture, a.label), b: urlSource(page, b.capture, b.label) };
  void pair.open(sources, start);
}

const text = z.string().check(z.minLength(1));

const sideSchema = z.strictObject({
  /** What the page calls the session: its file, or the revision. */
  label: text,
  /** The URL of the worker, relative to the page. */
  worker: text,
  /** The URL of the capture. */
  capture: text,
});

const pairConfigSchema = z.strictObject({
  /** What the page shows. */
  title: text,
  a: sideSchema,
  b: sideSchema,
  by: z.enum(['record', 'content']),
  /** The update or the time of the first session at which the page opens; the time is in milliseconds since the start of the recording. */
  start: z.optional(
    z.union([
      z.strictObject({ update: z.int().check(z.minimum(1)) }),
      z.strictObject({ t: z.number().check(z.minimum(0)) }),
    ]),
  ),
});

/** Reads the configuration. @throws {Error} when the element is missing or does not contain a valid configuration. */
const readPairConfig = (page: Document): z.infer<typeof pairConfigSchema> =>
  pairConfigSchema.parse(JSON.parse(elementText(page, 'inspector-config')));

takePageSecret(window);
const root = document.getElementById('root');
if (root === null) throw new Error('The page must have an element with the id "root".');
startPairPage(document, root);
