/**
 * Installs and builds the prerequisites of a command that are missing. Takes less than 0.3 s when none is.
 *
 *   node scripts/setup.mjs [--pam] [--pam-wrapper] [--pam-oath] [--chromium] [--boot] [--proxies] [--electron] [--build]
 *
 * It runs before any package is installed, so it uses only Node's own modules. It prints to stderr only, because stdout
 * belongs to the command that follows.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const at = (...path) => join(ROOT, ...path);
const print = (text) => process.stderr.write(`setup: ${text}\n`);

function fail(text) {
  print(text);
  process.exit(1);
}

function run(command, args, { env = {}, cwd = ROOT } = {}) {
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, ...env },
  });
  if (status !== 0) {
    fail(`\`${command} ${args.join(' ')}\` failed; run it by hand to see why`);
  }
}

/** Returns whether each locked package of a folder is installed in its version. Packages for other platforms may be missing. */
function dependenciesAreInstalled(folder = ROOT) {
  if (!existsSync(join(folder, 'node_modules', '.package-lock.json'))) return false;
  const packages = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).packages;
  const installed = packages('node_modules/.package-lock.json');
  return Object.entries(packages('package-lock.json')).every(
    ([path, { version, optional, devOptional, peer }]) =>
      path === '' || optional || devOptional || peer || installed[path]?.version === version,
  );
}

const inBinding = (...path) => at('node_modules', 'authenticate-pam', ...path);
const PATCH = at('hostauth', 'helper', 'pam', 'authenticate-pam.patch');
/** The version that the patch was written for, and the SHA-256 of its source. */
const VERSION = '1.0.5';
const SOURCE_HASH = '421289a8ba9b11f95ea3b3ff55cbe8c0f787d96d49552b8e4f62a4374d545a37';
const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Returns whether the PAM binding is built with the patch as it is now. It is optional: only the host-auth service needs it, and its
 * build needs PAM's headers.
 */
const pamIsBuilt = () =>
  existsSync(inBinding('build', 'Release', 'authenticate_pam.node')) &&
  existsSync(inBinding('.patched-by')) &&
  readFileSync(inBinding('.patched-by'), 'utf8') === hashOf(PATCH);

/** Headers of this Node, if they are there: otherwise node-gyp downloads them. */
function headersOfNode() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}

function installDependencies({ withPam }) {
  if (dependenciesAreInstalled() && (!withPam || existsSync(inBinding()))) return;
  print('installing packages (npm ci), once');
  run('npm', ['ci', '--no-audit', '--no-fund'], { env: headersOfNode() });
}

/** Patches the source of the PAM binding, always as it was published, and compiles it. */
function buildPamBinding() {
  if (pamIsBuilt()) return;
  const source = inBinding('authenticate_pam.cc');
  const published = `${source}.orig`;
  if (!existsSync(source)) {
    // npm removes an optional package that failed, so there is nothing to rebuild.
    fail('authenticate-pam could not be built; `npm ci --foreground-scripts` shows why');
  }
  const { version } = JSON.parse(readFileSync(inBinding('package.json'), 'utf8'));
  if (!existsSync(published)) copyFileSync(source, published);
  if (version !== VERSION || hashOf(published) !== SOURCE_HASH) {
    rmSync(published);
    fail(
      `authenticate-pam ${version} is not the ${VERSION} that ${PATCH} was written for: run \`npm ci\`, or write the patch again`,
    );
  }
  print('patching and building the PAM binding, once');
  run('patch', ['--quiet', `--output=${source}`, published, PATCH]);
  run('npm', ['rebuild', 'authenticate-pam', '--no-audit', '--no-fund'], { env: headersOfNode() });
  writeFileSync(inBinding('.patched-by'), hashOf(PATCH));
}

/** Installs the packages of a folder with a package of its own. */
function installPackagesOf(name) {
  const folder = at(...name.split('/'));
  if (dependenciesAreInstalled(folder)) return;
  print(`installing the packages of ${name}/ (npm ci), once`);
  // For Electron, npm warns of the Node version, but its types and electron-builder work with ours.
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder });
}

const onPath = (name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Installs Debian packages as root; otherwise prints the command in one line and ends the process. */
function installFromDebian(packages, { reason, instead = '' }) {
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    fail(`${reason}: run \`sudo ${install}\`${instead}`);
  }
  print(`${install}, once`);
  run('apt-get', ['update', '-qq']);
  run('apt-get', install.split(' ').slice(1), { env: { DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Installs the packages that the build of the PAM binding needs. */
function installPamHeaders() {
  if (pamIsBuilt()) return;
  const missing = [
    ...(existsSync('/usr/include/security/pam_appl.h') ? [] : ['libpam0g-dev']),
    ...(onPath('g++') && onPath('make') && onPath('patch') ? [] : ['build-essential', 'patch']),
    ...(onPath('python3') ? [] : ['python3']),
  ];
  if (missing.length === 0) return;
  installFromDebian(missing, { reason: 'the host-auth service needs the build tools of its PAM binding' });
}

const inside = (folder) => readdirSync(folder).map((name) => join(folder, name));

/** Installs a package of PAM for tests, if its library is missing. */
function installPamPackage(name, library) {
  const folders = ['/usr/lib', '/usr/lib64', ...inside('/usr/lib')];
  if (folders.some((folder) => existsSync(join(folder, library)))) return;
  installFromDebian([name], { reason: `the tests of the host-auth service need ${name}` });
}

function installChromium() {
  const missing = ['chromium', 'chromium-headless-shell'].filter((name) => !onPath(name));
  if (process.env.PARLEY_CHROMIUM || missing.length === 0) return;
  installFromDebian(missing, {
    reason: 'the browser tests need Chromium',
    instead: ', or set PARLEY_CHROMIUM',
  });
}

/** Installs missing tools. Tests that need them are skipped without them. @param tools the Debian package of each. */
function installTools(tools, reason) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return;
  const missing = Object.keys(tools).filter((name) => !onPath(name));
  const packages = missing.map((name) => tools[name]);
  if (missing.length > 0) installFromDebian(packages, { reason });
}

/** The tools that build and boot the Debian package of the host-auth service. */
const BOOT_TOOLS = {
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  'dpkg-shlibdeps': 'dpkg-dev',
};

function* filesUnder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesUnder(path);
    else yield path;
  }
}

/** Returns a fingerprint of a build's inputs: names, sizes, modification times. */
function sources() {
  const fingerprint = createHash('sha256');
  const folders = ['src', 'tools', 'platform', 'hostauth', 'bench', 'soak', 'sim']
    .map((folder) => at(folder))
    .filter(existsSync);
  const files = [
    at('vite.config.ts'),
    at('package-lock.json'),
    ...folders.flatMap((f) => Array.from(filesUnder(f))),
  ];
  const results = [at('bench', 'out'), at('soak', 'out'), at('tools', 'replay', 'package', 'dist')];
  for (const file of files.filter((name) => !results.some((folder) => name.startsWith(folder)))) {
    const { size, mtimeMs } = statSync(file);
    fingerprint.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return fingerprint.digest('hex');
}

function build() {
  const stamp = at('out', '.built-from');
  const now = sources();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  print('building');
  run(process.execPath, [
    at('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--app',
    '--logLevel',
    'warn',
  ]);
  mkdirSync(at('out'), { recursive: true });
  writeFileSync(stamp, now);
}

const hasFlag = (flag) => process.argv.includes(flag);

if (hasFlag('--pam')) installPamHeaders();
installDependencies({ withPam: hasFlag('--pam') });
if (hasFlag('--pam')) buildPamBinding();
// PAM without root's rights, and a second factor.
if (hasFlag('--pam-wrapper')) installPamPackage('libpam-wrapper', 'libpam_wrapper.so');
if (hasFlag('--pam-oath')) installPamPackage('libpam-oath', join('security', 'pam_oath.so'));
if (hasFlag('--chromium')) installChromium();
if (hasFlag('--boot')) installTools(BOOT_TOOLS, 'the boot test of the host-auth service needs its tools');
if (hasFlag('--proxies')) {
  const tools = { nginx: 'nginx', caddy: 'caddy', apparmor_parser: 'apparmor' };
  installTools(tools, 'the tests of the sign-in for apps and of the AppArmor profiles need their tools');
}
// Electron requires a newer Node.
if (hasFlag('--electron')) installPackagesOf('packaging');
if (hasFlag('--build')) build();
