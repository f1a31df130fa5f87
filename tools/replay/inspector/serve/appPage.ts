import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bundleAdapter } from '../../adapter/bundleAdapter.ts';
import { UsageError } from '../../base/errors.ts';
import { bundleProblem, bundleSource } from '../../bundle/bundleSource.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import { ADAPTER_SCOPE, PANE_SCOPE, type ScriptScope } from '../protocol/appScripts.ts';
import { type PageFiles, builtPage, readPageFiles } from './pageFiles.ts';

/** The inspector's page for the sessions of an app. */
export interface AppPage {
  readonly files: PageFiles;
  /** `undefined` for Parley. */
  readonly adapter: AppAdapter | undefined;
}

/**
 * Reads the files of the page, and adds the code of another app to them.
 * @param given the path of the adapter's module, as the user wrote it; `undefined` for Parley.
 * @throws {UsageError} when a file is missing, or the adapter or its pane cannot be used.
 */
export async function readAppPage(given: string | undefined): Promise<AppPage> {
  const files = await readPageFiles(builtPage());
  if (given === undefined) return { files, adapter: undefined };
  const { adapter, remove } = await bundleAdapter(given);
  remove();
  const worker = await withAdapter(files.worker, { given, entry: resolve(given) });
  if (adapter.pane === undefined) return { files: { ...files, worker }, adapter };
  const entry = resolve(dirname(given), adapter.pane);
  const pane = await bundleScript({ given: `${given}: its pane ${adapter.pane}`, entry }, PANE_SCOPE);
  return { files: { ...files, worker, pane }, adapter };
}

/** A module that is bundled, and what errors call it. */
export interface ScriptSource {
  readonly given: string;
  readonly entry: string;
  /** The folder to which errors are relative; the working folder by default. */
  readonly root?: string;
}

/** Returns the script of the worker, preceded by that of an adapter. @throws {UsageError} when the adapter cannot be bundled for a browser. */
export const withAdapter = async (worker: string, source: ScriptSource): Promise<string> =>
  `${await bundleScript(source, ADAPTER_SCOPE)}${worker}`;

/** Bundles a module to a classic script. It sets one of two variables: that of the exports, or that of the exception. */
async function bundleScript(
  { given, entry, root = process.cwd() }: ScriptSource,
  { loaded, failure }: ScriptScope,
): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'parley-app-'));
  try {
    const file = await bundleSource({ root, entry, out, platform: 'browser', global: loaded });
    const text = (await readFile(file, 'utf8')).replace(SOURCE_MAP, '');
    return `try {\n${text}\n} catch (error) { globalThis.${failure} = error; }\n`;
  } catch (error) {
    throw new UsageError(`--app ${given}: cannot be bundled: ${bundleProblem(error)}`, { cause: error });
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** A report contains no sources beside the bundle. */
const SOURCE_MAP = /\n\/\/# sourceMappingURL=.*\n?$/;
