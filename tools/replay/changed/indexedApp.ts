import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import { BUILT, CHECKOUT } from '../base/bundleSource.ts';
import { git } from '../compare/addWorktree.ts';
import type { CodeTable, Sources } from './compileCode.ts';
import { hashOf } from './moduleUnits.ts';

/** An app whose captures an index is about. */
export interface IndexedApp {
  /** The name of the folder of its index. */
  readonly key: string;
  /** The path of its adapter's module in the repository; `undefined` for Parley. */
  readonly adapter: string | undefined;
  readonly sources: Sources;
}

/** The module that verifies a capture of Parley, relative to the checkout. */
export const PARLEY_ENTRY = 'tools/replay/changed/parleyReplay.ts';

const isShared = (file: string): boolean => file.startsWith('src/shared/');

/** Returns what an index is about. @param adapter the path of an adapter's module, as the user wrote it; Parley by default. */
export async function indexedApp(adapter: string | undefined): Promise<IndexedApp> {
  if (adapter === undefined) {
    const sources = { root: CHECKOUT, entry: join(CHECKOUT, PARLEY_ENTRY), isApp: isShared };
    return { key: 'parley', adapter, sources };
  }
  const entry = realpathSync(resolve(adapter));
  const root = await git(dirname(entry), 'rev-parse', '--show-toplevel').catch(() => process.cwd());
  const path = relative(root, entry);
  const key = `${basename(path).replace(/[^\w.-]/g, '_')}-${hashOf([path])}`;
  return { key, adapter: path, sources: { root, entry, isApp: () => true } };
}

/** What a result depends on beside the units of the app. Entries of another environment are stale. */
export interface Environment {
  readonly tool: string;
  readonly node: string;
  /** The versions of the installed packages that the code uses, by their folders. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Returns the environment of a replay now. */
export function environmentOf({ adapter, sources }: IndexedApp, { tool, packages }: CodeTable): Environment {
  const versions = packages.map((folder) => [folder, installedVersion(join(sources.root, folder))] as const);
  return {
    // The tool that replays an adapter is built; that of Parley is compiled with it.
    tool: adapter === undefined ? tool : hashOf([tool, builtTool()]),
    node: process.version,
    packages: Object.fromEntries(versions),
  };
}

function installedVersion(folder: string): string {
  const manifest = tryParseJson(readFileSync(join(folder, 'package.json'), 'utf8'));
  return isJsonObject(manifest) ? String(manifest.version) : '';
}

/** Returns the hash of the programs of this tool; of its source when it runs from there. */
function builtTool(): string {
  const folder = import.meta.dirname;
  if (import.meta.filename.endsWith('.ts')) return 'source';
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.js')) hash.update(readFileSync(join(folder, name)));
  return hash.digest('base64url').slice(0, 16);
}

/**
 * Returns a source of Parley that has changed since the tool was built, which replays Parley's built code; `undefined` when there is none, and for an
 * adapter, which is bundled for each command.
 */
export function changedSinceBuild({ adapter }: IndexedApp, { sources }: CodeTable): string | undefined {
  if (adapter !== undefined || import.meta.filename.endsWith('.ts')) return undefined;
  const folder = join(BUILT, 'replay');
  const maps = readdirSync(folder).filter((name) => name.endsWith('.js.map') && !name.startsWith('cli.'));
  for (const name of maps) {
    const map = tryParseJson(readFileSync(join(folder, name), 'utf8'));
    if (!isJsonObject(map) || !Array.isArray(map.sources) || !Array.isArray(map.sourcesContent)) continue;
    for (const [index, source] of map.sources.entries()) {
      const file = relative(CHECKOUT, resolve(folder, String(source)));
      const hash = sources[file];
      if (hash !== undefined && hash !== hashOf([String(map.sourcesContent[index])])) return file;
    }
  }
  return undefined;
}
