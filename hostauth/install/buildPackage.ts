import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { errorCode } from '../base/errors.ts';
import apparmorProfiles from '../package/debian/apparmor?raw';
import settingsFile from '../package/debian/default?raw';
import startScript from '../package/debian/hostauth.sh?raw';
import postinst from '../package/debian/postinst?raw';
import postrm from '../package/debian/postrm?raw';
import prerm from '../package/debian/prerm?raw';
import manualPage from '../package/hostauth.8?raw';
import pamFile from '../pam.d/hostauth?raw';
import { type ProgramSources, copyPrograms, systemdFiles } from './programFolder.ts';

const PROGRAMS = 'usr/lib/hostauth';
const DOCS = 'usr/share/doc/hostauth';
const LICENSES = 'included-licenses.gz';
/** Files that an administrator may change: an upgrade keeps the changes. */
const CONFFILES = ['etc/apparmor.d/hostauth', 'etc/default/hostauth', 'etc/pam.d/hostauth'];

/** The options of `buildPackage`. */
interface PackageOptions {
  readonly programs: ProgramSources;
  /** The folder of the checkout, which has the license and the version. */
  readonly project: string;
  /** The folder of the package. */
  readonly output: string;
  readonly version: string;
  /** Debian's name of the architecture. */
  readonly architecture: string;
  /** The time of every file in the package, in seconds since 1970: the same sources give the same bytes. */
  readonly epoch: number;
}

/**
 * Builds the Debian package, whole or not at all.
 * @returns its path.
 * @throws {PackageError} when a tool or a part is missing.
 */
export async function buildPackage(options: PackageOptions): Promise<string> {
  const { output, version, architecture, epoch } = options;
  const work = await mkdtemp(join(tmpdir(), 'hostauth-package-'));
  try {
    const root = join(work, 'root');
    await putFiles(root, options);
    const libraries = await findLibraries(join(work, 'shlibs'), join(root, PROGRAMS));
    await putControl(root, { ...options, libraries });
    await setFolderModes(root);
    await mkdir(output, { recursive: true });
    const file = `hostauth_${version}_${architecture}.deb`;
    const unfinished = join(output, `.${file}.unfinished`);
    await runPackageTool('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z6', root, unfinished], {
      env: { SOURCE_DATE_EPOCH: String(epoch) },
    });
    await rename(unfinished, join(output, file));
    return join(output, file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function putFiles(root: string, { programs, project, version, epoch }: PackageOptions): Promise<void> {
  await put(join(root, 'etc/apparmor.d/hostauth'), apparmorProfiles);
  await put(join(root, 'etc/pam.d/hostauth'), pamFile);
  await put(join(root, 'etc/default/hostauth'), settingsFile);
  for (const { path, text } of systemdFiles({ under: '/usr/lib', programs: `/${PROGRAMS}` })) {
    await put(join(root, path), text);
  }
  await put(join(root, 'usr/sbin/hostauth'), startScript, 0o755);
  await put(join(root, 'usr/share/man/man8/hostauth.8.gz'), gzip(manualPage));
  await put(join(root, `${DOCS}/changelog.gz`), gzip(changelog(version, epoch)));
  await put(join(root, `${DOCS}/copyright`), copyright(await readFile(join(project, 'LICENSE'), 'utf8')));
  await put(join(root, `${DOCS}/${LICENSES}`), gzip(await includedLicenses(programs)));
  await copyPrograms(programs, join(root, PROGRAMS));
}

/** Compresses without a file name or a time. */
const gzip = (text: string): Buffer => gzipSync(text, { level: 9 });

const changelog = (version: string, epoch: number): string => `\
hostauth (${version}) stable; urgency=medium

  * CHANGELOG.md of Parley says what has changed.

 -- The Parley developers <parley@localhost>  ${new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')}
`;

const copyright = (license: string): string => `${license}
The licenses of Node and of each package that is included are in
/usr/share/doc/hostauth/${LICENSES}.
`;

/** Collects the licenses of Node and of each package whose code is included. */
async function includedLicenses({ node, bundles, binding }: ProgramSources): Promise<string> {
  const ofNode = await nodeLicense(node);
  if (ofNode === undefined) {
    throw new PackageError(
      `the license of ${node} is not found: use a Node that was installed with its LICENSE`,
    );
  }
  const headers = join(dirname(binding), 'nan');
  const ofPackages = await thirdPartyLicenses(bundles, [binding, headers]);
  return `Node.js ${process.versions.node}\n\n${ofNode}\n${'='.repeat(78)}\n\n${ofPackages}`;
}

async function put(path: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, mode);
}

/** Finds the Debian packages of the shared libraries that the executables load. */
async function findLibraries(folder: string, programs: string): Promise<string[]> {
  // dpkg-shlibdeps reads the list of packages of a source folder.
  await put(join(folder, 'debian/control'), 'Source: hostauth\n\nPackage: hostauth\nArchitecture: any\n');
  const binding = join(programs, 'node_modules/authenticate-pam/build/Release/authenticate_pam.node');
  await cp(binding, join(folder, 'binding.so'));
  const variables = await runPackageTool(
    'dpkg-shlibdeps',
    ['-O', `-e${join(programs, 'node')}`, '-ebinding.so'],
    {
      cwd: folder,
    },
  );
  const [, list = ''] = /^shlibs:Depends=(.*)$/m.exec(variables) ?? [];
  return list.split(', ').filter((name) => name !== '');
}

interface ControlFiles extends PackageOptions {
  readonly libraries: readonly string[];
}

async function putControl(root: string, { version, architecture, libraries }: ControlFiles): Promise<void> {
  const files = await filesUnder(root);
  const sums = await Promise.all(
    files.map(
      async (path) =>
        `${createHash('md5')
          .update(await readFile(join(root, path)))
          .digest('hex')}  ${path}`,
    ),
  );
  const sizes = await Promise.all(files.map(async (path) => (await stat(join(root, path))).size));
  const installedSize = sizes.reduce((sum, size) => sum + Math.ceil(size / 1024), 0);
  await put(join(root, 'DEBIAN/control'), control({ version, architecture, libraries, installedSize }));
  await put(join(root, 'DEBIAN/conffiles'), CONFFILES.map((path) => `/${path}\n`).join(''));
  const ofPackage = sums.filter((line) => !CONFFILES.some((path) => line.endsWith(`  ${path}`)));
  await put(join(root, 'DEBIAN/md5sums'), ofPackage.map((line) => `${line}\n`).join(''));
  for (const [name, script] of Object.entries({ postinst, prerm, postrm })) {
    await put(join(root, `DEBIAN/${name}`), script, 0o755);
  }
}

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .sort();
}

/** Sets the mode of each folder, which depends on the umask. dpkg-deb sets the times. */
async function setFolderModes(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  for (const path of [root, ...folders.map(({ parentPath, name }) => join(parentPath, name))]) {
    await chmod(path, 0o755);
  }
}

/** The package cannot be built. `message` is one line that says why and what to do. */
export class PackageError extends Error {
  override readonly name = 'PackageError';
}

interface ToolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs a tool of the Debian package dpkg or dpkg-dev.
 * @returns its output.
 * @throws {PackageError} when it is missing or fails.
 */
export async function runPackageTool(
  name: 'dpkg-deb' | 'dpkg-shlibdeps',
  args: readonly string[],
  { cwd, env }: ToolOptions = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(name, [...args], { cwd, env: { ...process.env, ...env } });
    return stdout;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if (errorCode(error) === 'ENOENT') {
      throw new PackageError(`${name} is missing: run \`sudo apt-get install -y dpkg dpkg-dev\``, {
        cause: error,
      });
    }
    const stderr = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
    throw new PackageError(`${name} failed: ${stderr || error.message}`, { cause: error });
  }
}

/** The dependencies besides the libraries of the executables. Every Debian has prlimit and getent. */
const TOOLS = [
  // unix_chkpwd, pam_faillock and pam_unix.
  'libpam-modules',
  'libpam-modules-bin',
  // useradd, chpasswd, userdel.
  'passwd',
];

const DEBIAN_ARCHITECTURES: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ppc64: 'ppc64el',
  s390x: 's390x',
  riscv64: 'riscv64',
  loong64: 'loong64',
};

/** Returns Debian's name of a `process.arch`; `undefined` when it has none. */
export const debianArchitecture = (arch: string): string | undefined => DEBIAN_ARCHITECTURES[arch];

/** The options of `control`. */
interface ControlOptions {
  readonly version: string;
  /** Debian's name of the architecture. */
  readonly architecture: string;
  /** The result of dpkg-shlibdeps, such as `libc6 (>= 2.34)`. */
  readonly libraries: readonly string[];
  /** In KiB. */
  readonly installedSize: number;
}

/** Returns the control file of the package (Debian Policy §5.3). */
export const control = ({ version, architecture, libraries, installedSize }: ControlOptions): string => `\
Package: hostauth
Version: ${version}
Architecture: ${architecture}
Maintainer: The Parley developers <parley@localhost>
Installed-Size: ${installedSize}
Depends: ${[...libraries, ...TOOLS].join(', ')}
Recommends: systemd
Section: admin
Priority: optional
Description: sessions for the accounts of this host, over HTTP
 Programs sign in with the accounts of this host: hostauth asks PAM, issues
 session tokens, and creates users for administrators. It listens on loopback.
 .
 An unprivileged process speaks HTTP. A small helper, which runs as root, asks
 PAM, checks accounts and creates users. Node and the PAM binding are included.
`;

const sourceMap = z.object({ sources: z.array(z.string()) });
const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().optional(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/** Matches the folder of a source file's package. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENSE_FILE = /^(licen[sc]e|copying|notice)(\.(md|txt))?$/i;

/**
 * Collects the licenses of the packages in the source maps of the built programs, and of those in `others`: name, version,
 * license and license file of each.
 */
export async function thirdPartyLicenses(bundles: string, others: readonly string[]): Promise<string> {
  const folders = new Set(others);
  for (const name of await readdir(bundles)) {
    if (!name.endsWith('.js.map')) continue;
    const { sources } = sourceMap.parse(JSON.parse(await readFile(join(bundles, name), 'utf8')));
    for (const source of sources) {
      const [folder] = PACKAGE.exec(resolve(bundles, source)) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  }
  const entries = await Promise.all(Array.from(folders, entryOf));
  return [...new Set(entries)].sort().join(`\n${'-'.repeat(78)}\n\n`);
}

async function entryOf(folder: string): Promise<string> {
  const { name, version, license, author } = manifest.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  const texts = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort();
  const bodies = await Promise.all(texts.map((file) => readFile(join(folder, file), 'utf8')));
  const heading = `${name} ${version}${license === undefined ? '' : ` (${license})`}\n\n`;
  if (bodies.length > 0) return heading + bodies.map((body) => `${body.trim()}\n`).join('\n');
  return heading + (await sourceNotice(folder)) + (author === undefined ? '' : `Author: ${author}\n`);
}

/** Returns the first comment of the C++ sources of a package: some packages have their license only there. */
async function sourceNotice(folder: string): Promise<string> {
  const source = (await readdir(folder)).find((file) => file.endsWith('.cc'));
  if (source === undefined) return '';
  const [, notice = ''] = /^\/\*\n([^]*?)\*\//.exec(await readFile(join(folder, source), 'utf8')) ?? [];
  return notice;
}

/** Reads the license of a Node installation, in its prefix or in the folder of Debian's packages. */
export async function nodeLicense(node: string): Promise<string | undefined> {
  const prefix = dirname(dirname(node));
  for (const path of [join(prefix, 'LICENSE'), join(prefix, 'share/doc/nodejs/LICENSE')]) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}
