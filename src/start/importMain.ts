import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs main, which is beside this program, in this process. The path becomes a URL first: in a path, `#`, `%` and `C:` have
 * another meaning.
 */
export async function importMain(): Promise<void> {
  await import(/* @vite-ignore */ pathToFileURL(join(import.meta.dirname, 'main.js')).href);
}
