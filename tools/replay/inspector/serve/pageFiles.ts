import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.ts';

/** The built page of the inspector: its script, its styles and the script of its worker. */
export interface PageFiles {
  readonly script: string;
  readonly style: string;
  readonly worker: string;
  /** The script that draws another app, which precedes that of the page. */
  readonly pane?: string;
}

/** The built page for two sessions side by side; its worker and most of its styles are those of the other page. */
export interface PairFiles {
  readonly script: string;
  readonly style: string;
}

/**
 * Returns the folder of the built page, for this code as source and in a bundle.
 * @throws {UsageError} when the build has no such folder.
 */
export function builtPage(): string {
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    const folder = join(at, 'out', 'inspector');
    if (existsSync(folder)) return folder;
  }
  throw new UsageError('the inspector is not built; run `npm run build`');
}

/** Reads the files of the page. @throws {UsageError} when one of them is missing. */
export const readPageFiles = async (folder: string): Promise<PageFiles> => ({
  script: await read(folder, 'inspector.js'),
  style: await read(folder, 'style.css'),
  worker: await read(folder, 'worker.js'),
});

/** Reads the files of the page for two sessions. @throws {UsageError} when one of them is missing. */
export const readPairFiles = async (folder: string): Promise<PairFiles> => ({
  script: await read(folder, 'sideBySide.js'),
  style: await read(folder, 'sideBySide.css'),
});

async function read(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    throw new UsageError(`the inspector’s ${name} is missing; run \`npm run build\``, { cause: error });
  }
}
