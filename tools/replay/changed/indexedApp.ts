import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { CHECKOUT } from '../base/bundleSource.ts';
import { git } from '../compare/addWorktree.ts';
import { addRevision } from '../compare/compareCaptures.ts';
import { type CompiledCode, type Sources, compileCode } from './compileCode.ts';
import { hashOf } from './moduleUnits.ts';

/** An app whose captures an index is about. */
interface IndexedApp extends Sources {
  /** The name of the folder of its index. */
  readonly key: string;
  /** The path of its adapter's module, as the user wrote it; `undefined` for Parley. */
  readonly adapter: string | undefined;
  /** Its entry, relative to the root, when it is not the module that `addRevision` names. */
  readonly path?: string;
}

/** The module that verifies a capture of Parley, relative to the checkout. */
const PARLEY_ENTRY = 'tools/replay/changed/parleyReplay.ts';

const isShared = (file: string): boolean => file.startsWith('src/shared/');

/** Returns what an index is about. @param adapter the path of an adapter's module, as the user wrote it; Parley by default. */
export async function indexedApp(adapter: string | undefined): Promise<IndexedApp> {
  if (adapter === undefined) {
    const [root, path] = [CHECKOUT, PARLEY_ENTRY];
    return { key: 'parley', adapter, root, path, entry: join(root, path), isApp: isShared };
  }
  const entry = realpathSync(resolve(adapter));
  const root = await git(dirname(entry), 'rev-parse', '--show-toplevel').catch(() => process.cwd());
  const path = relative(root, entry);
  const key = `${basename(path).replace(/[^\w.-]/g, '_')}-${hashOf([path])}`;
  return { key, adapter, root, entry };
}

/**
 * Compiles a revision of an app in a temporary worktree.
 * @param repository the repository of Parley; this checkout by default.
 * @throws the error of git or of the bundler.
 */
export async function compileRevision(commit: string, app: Partial<IndexedApp>, repository?: string) {
  const { adapter, path, isApp } = app;
  const { root, entry, remove } = await addRevision(commit, adapter, repository);
  try {
    return await compileCode({ root, entry: path === undefined ? entry : join(root, path), isApp }, 'esm');
  } finally {
    remove();
  }
}

/** The programs of this tool; none when it runs from its source. */
const PROGRAMS = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.js'))
  .map((name) => join(import.meta.dirname, name));

/** Names what a result depends on beside the units of the app. Entries of another environment are stale. */
export function environmentOf({ adapter }: IndexedApp, { others }: CompiledCode): string {
  // The tool that replays an adapter is built; that of Parley is compiled with it.
  const tool = adapter === undefined ? [] : PROGRAMS.sort().map((path) => readFileSync(path, 'utf8'));
  return hashOf([others, process.version, ...tool]);
}

/** Returns whether Parley has changed since the tool was built, which replays Parley's built code. An adapter is bundled for each command. */
export const isNewerThanBuild = ({ adapter }: IndexedApp, { changedAt }: CompiledCode): boolean =>
  adapter === undefined && PROGRAMS.some((path) => statSync(path).mtimeMs < changedAt);
