import { existsSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { UsageError } from '../base/errors.ts';
import { bundleSource } from './bundleSource.ts';

const CODE = 'tools/replay/engine/code.ts';

interface Bundling {
  /** A revision's whole tree; it is written into. */
  readonly tree: string;
  readonly out: string;
  /** This checkout: its packages are used, and where the revision has no replay tool, its list of what a replay needs. */
  readonly checkout: string;
  /** As it was given, for errors. */
  readonly revision: string;
}

/**
 * Bundles what a replay needs of a revision into one file that can be imported from anywhere.
 * @returns the file.
 * @throws {UsageError} when the revision does not have it.
 */
export async function bundleCode({ tree, out, checkout, revision }: Bundling): Promise<string> {
  const entry = join(tree, CODE);
  const isItsOwn = existsSync(entry);
  if (!isItsOwn) {
    await mkdir(dirname(entry), { recursive: true });
    await copyFile(join(checkout, CODE), entry);
  }
  await symlink(join(checkout, 'node_modules'), join(tree, 'node_modules'), 'junction');
  try {
    return await bundleSource({ root: tree, entry, out });
  } catch (error) {
    const has = isItsOwn
      ? `a ${CODE} that cannot be bundled`
      : `neither ${CODE} nor what it takes of src/shared`;
    const why = firstLine(error).replaceAll(join(tree, '/'), '');
    throw new UsageError(`--base ${revision}: that revision has ${has}: ${why}`, { cause: error });
  }
}

/** A bundler's errors are long and coloured; their first lines that say something are enough. */
const firstLine = (error: unknown): string =>
  stripVTControlCharacters(error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('Build failed'))
    .slice(0, 1)
    .join(' ');
