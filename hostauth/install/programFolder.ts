import { randomBytes } from 'node:crypto';
import { chmod, copyFile, lstat, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import helperUnit from '../systemd/hostauth-helper.service?raw';
import httpUnit from '../systemd/hostauth.service?raw';
import sysusers from '../systemd/hostauth.sysusers?raw';

/**
 * The folder of the programs that the units start: a copy of Node, the built programs and the PAM binding. Root runs them,
 * so they are not those of a checkout or a version manager, which belong to a user.
 */

/** The sources of the copy. */
export interface ProgramSources {
  /** Node's executable. */
  readonly node: string;
  /** The folder of the built programs. */
  readonly bundles: string;
  /** The folder of the package authenticate-pam, compiled. */
  readonly binding: string;
}

const BINDING = 'build/Release/authenticate_pam.node';

/** Copies the programs into a new folder, owned by the user of this process. */
export async function copyPrograms(sources: ProgramSources, folder: string): Promise<void> {
  const bundles = (await readdir(sources.bundles)).filter((name) => name.endsWith('.js'));
  const binding = 'node_modules/authenticate-pam';
  const copies: [string, string, number][] = [
    [sources.node, 'node', 0o755],
    ...bundles.map((name): [string, string, number] => [join(sources.bundles, name), name, 0o644]),
    [join(sources.binding, 'package.json'), `${binding}/package.json`, 0o644],
    [join(sources.binding, BINDING), `${binding}/${BINDING}`, 0o644],
  ];
  for (const [from, to, mode] of copies) {
    await makeFolders(folder, dirname(to));
    await copyFile(from, join(folder, to));
    await chmod(join(folder, to), mode);
  }
  const manifest = join(folder, 'package.json');
  await writeFile(manifest, '{ "type": "module" }\n');
  await chmod(manifest, 0o644);
}

/** Creates folders with modes that do not depend on the umask. */
async function makeFolders(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const name of ['.', ...path.split('/')]) {
    at = join(at, name);
    await mkdir(at, { recursive: true });
    await chmod(at, 0o755);
  }
}

/** Installs the programs, all or none of them. */
export async function installPrograms(
  sources: ProgramSources,
  folder: string,
): Promise<'installed' | 'updated' | 'unchanged'> {
  const suffix = randomBytes(12).toString('hex');
  const next = `${folder}.~${suffix}`;
  const previous = `${folder}.~${suffix}-old`;
  try {
    await copyPrograms(sources, next);
    if (!(await exists(folder))) {
      await rename(next, folder);
      return 'installed';
    }
    if (await isSame(next, folder)) return 'unchanged';
    await rename(folder, previous);
    await rename(next, folder);
    return 'updated';
  } finally {
    await rm(next, { recursive: true, force: true });
    await rm(previous, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function isSame(one: string, other: string): Promise<boolean> {
  const names = await filesUnder(one);
  if (names.join('\n') !== (await filesUnder(other)).join('\n')) return false;
  for (const name of names) {
    const [a, b] = [join(one, name), join(other, name)];
    const [left, right] = [await lstat(a), await lstat(b)];
    if (left.mode !== right.mode || left.uid !== right.uid || left.size !== right.size) return false;
    if (left.isFile() && !(await readFile(a)).equals(await readFile(b))) return false;
  }
  return true;
}

const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).sort();

/** Returns the programs that run now: this Node, the built programs beside this one, and their PAM binding. */
export const programSources = (): ProgramSources => ({
  node: process.execPath,
  bundles: import.meta.dirname,
  binding: dirname(createRequire(import.meta.url).resolve('authenticate-pam/package.json')),
});

/** The folders of the files: `/etc` for an administrator, `/usr/lib` for a package. */
interface SystemdFilesOptions {
  /** `/etc` or `/usr/lib`. */
  readonly under: string;
  /** The folder of the programs that the units start, without spaces or characters that systemd interprets. */
  readonly programs: string;
}

/** Returns the two units, and the entry of the user of one of them. */
export function systemdFiles({ under, programs }: SystemdFilesOptions): { path: string; text: string }[] {
  const unit = (name: string, text: string) => ({
    path: `${under}/systemd/system/${name}`,
    text: text.replaceAll('@folder@', programs),
  });
  return [
    unit('hostauth.service', httpUnit),
    unit('hostauth-helper.service', helperUnit),
    { path: `${under}/sysusers.d/hostauth.conf`, text: sysusers },
  ];
}
