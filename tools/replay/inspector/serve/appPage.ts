import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type ShownAdapter, adapterOf } from '../../adapter/loadAdapter.ts';
import { PLACES, type Places } from '../../adapter/stackOf.ts';
import { BUILT, bundleProblem, bundleSource } from '../../base/bundleSource.ts';
import { UsageError } from '../../base/errors.ts';
import { ADAPTER_SCOPE, PANE_SCOPE, type ScriptScope } from '../protocol/appScripts.ts';

/** The inspector's page for the sessions of an app. */
export interface AppPage {
  readonly files: PageFiles;
  /** `undefined` for Parley. */
  readonly adapter?: ShownAdapter | undefined;
}

/**
 * Reads the files of the page, and adds the code of another app to them.
 * @param given the path of the adapter's module, as the user wrote it; `undefined` for Parley.
 * @throws {UsageError} when a file is missing, or the adapter or its pane cannot be used.
 */
export async function readAppPage(given: string | undefined): Promise<AppPage> {
  const files = await readPageFiles();
  if (given === undefined) return { files };
  const adapter = await adapterOf(given);
  const worker = await withAdapter(files.worker, moduleOf(`${given}:`, resolve(given)));
  if (adapter.pane === undefined) return { files: { ...files, worker }, adapter };
  const entry = resolve(dirname(given), adapter.pane);
  const pane = await bundleScript(moduleOf(`${given}: its pane ${adapter.pane}`, entry), PANE_SCOPE);
  return { files: { ...files, worker, pane }, adapter };
}

/** Returns a module of the working tree. @param name what errors call it. */
const moduleOf = (name: string, entry: string): ScriptSource => ({
  root: process.cwd(),
  entry,
  problem: (cause) =>
    new UsageError(`--app ${name} cannot be bundled for a browser: ${bundleProblem(cause)}`, { cause }),
});

/** A module that is bundled. */
interface ScriptSource {
  readonly entry: string;
  /** The folder to which errors are relative. */
  readonly root: string;
  /** Returns the error about a module that cannot be bundled. */
  readonly problem: (error: unknown) => UsageError;
}

/** Returns the script of the worker, preceded by that of an adapter. @throws {UsageError} when the adapter cannot be bundled for a browser. */
export const withAdapter = async (worker: string, source: ScriptSource): Promise<string> =>
  `${await bundleScript(source, ADAPTER_SCOPE)}${worker}`;

/** Bundles a module to a classic script. It sets one of two variables: that of the exports, or that of the exception. */
async function bundleScript(
  { entry, root, problem }: ScriptSource,
  { loaded, failure, script }: ScriptScope,
): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'parley-app-'));
  try {
    const file = await bundleSource({ root, entry, out, platform: 'browser', global: loaded });
    const text = await readFile(file, 'utf8');
    const places: Places = { ...(script && { script }), lines: sourceLines(text, out, root) };
    return [
      // The places count the lines from here.
      'try {',
      text.replace(SOURCE_MAP, ''),
      `} catch (error) { globalThis.${failure} = error; }`,
      `globalThis.${PLACES} = ${JSON.stringify(places)};`,
      ...(script === undefined ? [] : [`//# sourceURL=${script}`]),
      '',
    ].join('\n');
  } catch (error) {
    throw problem(error);
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** A report contains no sources beside the bundle. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=.*base64,(?<map>\S+)\n?$/;

/** Returns the place in the sources of each line of a bundle that follows one other line; none for packages. Paths in the root are relative to it. */
function sourceLines(text: string, out: string, root: string): Record<number, string> {
  const encoded = SOURCE_MAP.exec(text)?.groups?.['map'];
  if (encoded === undefined) return {};
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, 'base64').toString('utf8')));
  const places: Record<number, string> = {};
  for (const [line, content] of text.split('\n').entries()) {
    const entry = map.findEntry(line, content.length);
    if (!('originalSource' in entry) || entry.generatedLine !== line) continue;
    const source = resolve(out, entry.originalSource);
    if (source.includes('node_modules')) continue;
    const inRoot = relative(root, source);
    places[line + 2] = `${inRoot.startsWith('..') ? source : inRoot}:${entry.originalLine + 1}`;
  }
  return places;
}

/** Reads the built page of the inspector: its script, its styles and the script of its worker. @throws {UsageError} when a file is missing. */
export const readPageFiles = async () => ({
  script: await readBuilt('inspector.js'),
  style: await readBuilt('style.css'),
  worker: await readBuilt('worker.js'),
});

/** The files of the page. */
export interface PageFiles extends Readonly<Awaited<ReturnType<typeof readPageFiles>>> {
  /** The script that draws another app, which precedes that of the page. */
  readonly pane?: string;
}

/** Reads the page for two sessions side by side; its worker and most of its styles are those of the other page. @throws {UsageError} */
export const readPairFiles = async () => ({
  script: await readBuilt('sideBySide.js'),
  style: await readBuilt('sideBySide.css'),
});

/** Returns a Content-Security-Policy of the page: these directives, and images and sounds as data. */
export const pagePolicy = (allowed: Readonly<Record<string, string>>): string =>
  [
    "default-src 'none'",
    ...Object.entries(allowed).map(([directive, sources]) => `${directive} ${sources}`),
    'img-src data: blob:',
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'trusted-types dompurify inspector',
    "require-trusted-types-for 'script'",
  ].join('; ');

async function readBuilt(name: string): Promise<string> {
  const path = join(BUILT, 'inspector', name);
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`the inspector’s ${name} is missing; run \`npm run build\``, { cause });
  });
}
