import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostTools } from './hostTools.ts';
import { runTool } from './runTool.ts';

/** The exit code of getent when there is no such entry. */
const NO_ENTRY = 2;
/** The folder of homes, unless the defaults of useradd name another. */
const HOMES = '/home';

/** The name service did not answer: a directory cannot be reached, or takes too long. */
export class LookUpError extends Error {
  override readonly name = 'LookUpError';
}

/** A lookup in a database of the name service. */
interface LookUp {
  readonly tools: Pick<HostTools, 'getent'>;
  readonly database: 'passwd' | 'group' | 'shadow';
  /** A valid name, or one of the host: it does not begin with a `-`. */
  readonly name: string;
  /** Whether to search only the host's own files, without caches; by default directories too. */
  readonly onlyFiles?: boolean;
  readonly limitMs: number;
}

/**
 * Looks up the fields of a user or group; `undefined` when it does not exist.
 * @throws {LookUpError} when the name service does not answer.
 */
export async function lookUp(options: LookUp): Promise<readonly string[] | undefined> {
  const { tools, database, name, onlyFiles = false, limitMs } = options;
  const args = [...(onlyFiles ? ['-s', 'files'] : []), database, name];
  const { code, stdout, stderr } = await runTool({ path: tools.getent, args, limitMs });
  if (code === 0) return stdout.trimEnd().split(':');
  if (code === NO_ENTRY) return undefined;
  throw new LookUpError(`getent ${database} failed (${code ?? 'no exit code'}) ${stderr}`.trimEnd());
}

/** Returns the path of a new user's home. */
export async function defaultHome(name: string, { defaults }: Pick<HostTools, 'defaults'>): Promise<string> {
  const text = await readFile(defaults, 'utf8').catch(() => '');
  return join(/^HOME=(\S+)/m.exec(text)?.[1] ?? HOMES, name);
}

/** Returns whether a path exists. */
export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
