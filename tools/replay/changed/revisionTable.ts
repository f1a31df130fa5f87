import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '#node/writeFileAtomically.ts';
import { isJsonObject, tryParseJson } from '#shared/json.ts';
import { addWorktree, git, resolveCommit } from '../compare/addWorktree.ts';
import { linkPackages } from '../compare/compareCaptures.ts';
import { type CodeTable, compileCode, compilerName } from './compileCode.ts';
import { type IndexedApp, PARLEY_ENTRY } from './indexedApp.ts';

const tableSchema = z.object({
  units: z.record(z.string(), z.object({ hash: z.string(), line: z.number() })),
  tool: z.string(),
  packages: z.array(z.string()),
  sources: z.record(z.string(), z.string()),
});

/**
 * Returns the code of a revision. It is compiled in a temporary worktree, once: then it is read from a folder.
 * @param cache the folder; without one, the revision is compiled.
 * @throws the error of the bundler; {UsageError} when there is no such revision.
 */
export async function revisionTable(
  app: IndexedApp,
  { revision, cache }: { readonly revision: string; readonly cache: string | undefined },
): Promise<CodeTable> {
  const commit = await resolveCommit(app.sources.root, revision, '--changed');
  const file = cache && join(cache, `${commit}-${await compilerName()}.json`);
  const known = tableSchema.safeParse(
    file && existsSync(file) ? tryParseJson(readFileSync(file, 'utf8')) : undefined,
  );
  if (known.success) return known.data;
  const { tree, remove } = await addWorktree({ repository: app.sources.root, commit });
  try {
    const { table } = await compileCode(await sourcesIn(app, tree), 'esm');
    if (file) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileAtomically(file, JSON.stringify(table), { mode: 0o666 });
    }
    return table;
  } finally {
    remove();
  }
}

/** Prepares a worktree: with the installed packages, and for Parley with the module that verifies a capture if it has none. */
async function sourcesIn({ adapter, sources }: IndexedApp, root: string) {
  const { root: repository, isApp } = sources;
  if (adapter !== undefined) {
    await linkPackages(repository, root, dirname(adapter));
    return { root, entry: join(root, adapter), isApp };
  }
  await symlink(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction');
  const entry = join(root, PARLEY_ENTRY);
  if (!existsSync(entry)) {
    await mkdir(dirname(entry), { recursive: true });
    await cp(sources.entry, entry);
  }
  return { root, entry, isApp };
}

/** The files that say which packages are installed. Those of the first one are compared one by one. */
const LOCKS = ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'package.json'] as const;

/**
 * Returns what differs between the packages of a revision and of the working tree: `zod 4.6.6 → 4.6.7`, or the name of a file.
 * @param packages the folders of the packages that the code uses.
 */
export async function changedPackages(
  { root }: IndexedApp['sources'],
  { revision, packages }: { readonly revision: string; readonly packages: readonly string[] },
): Promise<string[]> {
  const changed: string[] = [];
  for (const folder of new Set(packages.map((path) => path.slice(0, path.indexOf('node_modules/'))))) {
    const name = LOCKS.find((lock) => existsSync(join(root, folder, lock)));
    if (name === undefined) continue;
    const now = readFileSync(join(root, folder, name), 'utf8');
    const before = await git(root, 'show', `${revision}:${folder}${name}`).catch(() => '');
    if (now.trim() === before) continue;
    if (name !== LOCKS[0]) changed.push(folder + name);
    else
      for (const path of packages.filter((one) => one.startsWith(`${folder}node_modules/`))) {
        const [old, current] = [before, now].map((text) => lockedVersion(text, path.slice(folder.length)));
        const label = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        if (old !== current) changed.push(`${label} ${old ?? '(not locked)'} → ${current ?? '(not locked)'}`);
      }
  }
  return changed;
}

function lockedVersion(lock: string, path: string): string | undefined {
  const parsed = tryParseJson(lock);
  const packages = isJsonObject(parsed) && isJsonObject(parsed.packages) ? parsed.packages : {};
  const locked = packages[path];
  return isJsonObject(locked) ? String(locked.version) : undefined;
}
