import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostTools } from './hostTools.ts';
import { runTool } from './runTool.ts';

/** getent's answer when there is no such entry. */
const NO_ENTRY = 2;
/** Where homes are unless useradd's defaults say otherwise. */
const HOMES = '/home';

/** Whoever should know could not be asked: a directory service is away, or takes too long. */
export class LookUpError extends Error {
  override readonly name = 'LookUpError';
}

export interface LookUp {
  readonly tools: Pick<HostTools, 'getent'>;
  readonly database: 'passwd' | 'group' | 'shadow';
  /** Has passed the rules for names, or came from the host: it does not begin with a `-`. */
  readonly name: string;
  /** The host's own files alone, past every cache; otherwise all that the host knows, such as a directory's users. */
  readonly onlyFiles?: boolean;
  readonly limitMs: number;
}

/**
 * The fields of a user or group, as the host knows them now; `undefined` when there is none.
 * @throws {LookUpError} when that cannot be told.
 */
export async function lookUp(options: LookUp): Promise<readonly string[] | undefined> {
  const { tools, database, name, onlyFiles = false, limitMs } = options;
  const args = [...(onlyFiles ? ['-s', 'files'] : []), database, name];
  const { code, stdout, stderr } = await runTool({ path: tools.getent, args, limitMs });
  if (code === 0) return stdout.trimEnd().split(':');
  if (code === NO_ENTRY) return undefined;
  throw new LookUpError(`getent ${database} failed (${code ?? 'no exit code'}) ${stderr}`.trimEnd());
}

/** Where the home of a new user will be. */
export async function homeOf(name: string, { defaults }: Pick<HostTools, 'defaults'>): Promise<string> {
  const text = await readFile(defaults, 'utf8').catch(() => '');
  return join(/^HOME=(\S+)/m.exec(text)?.[1] ?? HOMES, name);
}

/** Whether there is something at a path. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
