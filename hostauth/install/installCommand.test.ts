import { execFile, execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { installCommand } from './installCommand.ts';
import { packageCommand } from './packageCommand.ts';
import { putFile } from './stampedFile.ts';
import manualPage from '../package/hostauth.8?raw';
import { settingsHelp } from '../base/config.ts';
import { buildPackage, debianArchitecture, runPackageTool, thirdPartyLicenses } from './buildPackage.ts';
import { systemdFiles } from './programFolder.ts';

const PROGRAMS = 'usr/local/lib/hostauth';
const PAM_FILE = 'etc/pam.d/hostauth';
const UNIT = 'etc/systemd/system/hostauth.service';
const HELPER_UNIT = 'etc/systemd/system/hostauth-helper.service';
const TALLIES = 'var/lib/hostauth/faillock';

let root = '';
let sources = '';
// What is installed does not depend on it.
const umask = process.umask();
beforeEach(async () => {
  process.umask(0o077);
  root = await fs.mkdtemp(join(tmpdir(), 'parley-install-'));
  sources = await fs.mkdtemp(join(tmpdir(), 'parley-programs-'));
  await writeSource('bin/node', 'Node');
  await writeSource('out/hostauth.js', 'program');
  await writeSource('out/hostauth.js.map', '{"sources":[]}');
  await writeSource('binding/package.json', '{"name":"binding","version":"1.0.0"}');
  await writeSource('binding/build/Release/authenticate_pam.node', 'binding');
  await writeSource('binding/build/Makefile', 'other');
});
afterEach(() => process.umask(umask));
afterEach(() => Promise.all([root, sources].map((folder) => fs.rm(folder, { recursive: true }))));

const at = (path: string) => join(root, path);

async function writeSource(path: string, text: string): Promise<void> {
  await fs.mkdir(dirname(join(sources, path)), { recursive: true });
  // Built by a user with another umask.
  await fs.writeFile(join(sources, path), text, { mode: 0o600 });
}
const shipped = () => fs.readFile(new URL('../pam.d/hostauth', import.meta.url), 'utf8');
const textOf = (path: string) => fs.readFile(at(path), 'utf8');

const programs = () => ({
  node: join(sources, 'bin/node'),
  bundles: join(sources, 'out'),
  binding: join(sources, 'binding'),
});

async function run(args: readonly string[] = [], { system = '/', isRoot = false } = {}) {
  const printed: string[] = [];
  const failed: [string, number][] = [];
  await installCommand({
    isRoot,
    system,
    programs,
    print: (line) => printed.push(line),
    fail: (line, exitCode) => failed.push([line, exitCode]),
  }).parseAsync(['--root', root, ...args], { from: 'user' });
  return { printed, failed };
}

/** Returns the mode and the path of each file and folder. */
async function listing(folder: string): Promise<string> {
  const paths = ['.', ...(await fs.readdir(folder, { recursive: true })).sort()];
  const modes = await Promise.all(paths.map(async (path) => (await fs.stat(join(folder, path))).mode));
  return paths.map((path, i) => `${((modes[i] ?? 0) & 0o7777).toString(8)} ${path}\n`).join('');
}

test('`install` refuses to change the system without root, with one line and exit code 2; else installs the programs, with Node and the binding, the PAM file, the units, which start nothing from a checkout, and a folder that only root enters', async () => {
  const failed = [[expect.stringContaining('sudo npm run hostauth -- install'), 2]];
  expect(await run([], { system: root })).toEqual({ printed: [], failed });
  expect(await fs.readdir(root)).toEqual([]);
  await run();
  await expect(await listing(at(PROGRAMS))).toMatchFileSnapshot('testing/programs.txt');
  expect(await textOf(`${PROGRAMS}/node`)).toBe('Node');
  expect(await textOf(PAM_FILE)).toContain(await shipped());
  expect(await listing(at('etc/pam.d'))).toMatch(/^\d+ \.\n644 hostauth\n$/);
  expect(await listing(at(TALLIES))).toBe('700 .\n');
  for (const unit of [UNIT, HELPER_UNIT]) {
    const text = await textOf(unit);
    expect(text).toMatch(/^ExecStart=\/usr\/local\/lib\/hostauth\/node \/usr\/local\/lib\/hostauth\/\S+/m);
    expect(text).not.toMatch(/@\w+@/);
  }
});

test('leaves nothing of a file that cannot be put in its place', async () => {
  const { rename } = promises;
  onTestFinished(() => {
    promises.rename = rename;
    syncBuiltinESMExports();
  });
  promises.rename = () => Promise.reject(new Error('full'));
  syncBuiltinESMExports();
  await expect(putFile(at('file'), 'text', { force: false })).rejects.toThrow('full');
  expect(await fs.readdir(root)).toEqual([]);
});

test('the PAM file names the folder of failures for pam_faillock, and turns off the signal handling of pam_unix and all delays', async () => {
  const lines = (await shipped()).match(/^\w.*pam_(faillock|unix).*$/gm) ?? [];
  const counting = lines.filter((line) => line.includes('pam_faillock'));
  expect(counting).toHaveLength(4);
  expect(counting.every((line) => line.includes(` dir=/${TALLIES}`))).toBe(true);
  const asking = lines.filter((line) => line.startsWith('auth '));
  const options = asking.map((line) => /( nodelay)?( noreap)?$/.exec(line)?.[0]);
  expect(options.join()).toBe(' nodelay, nodelay noreap, nodelay, nodelay');
});

const REFUSED: readonly (readonly [string, string, () => Promise<void>])[] = [
  ['usr', 'can be written to by others', () => fs.chmod(at('usr'), 0o775)],
  [PROGRAMS, 'can be written to by others', () => fs.chmod(at(PROGRAMS), 0o775)],
  ['usr', 'belongs to the user 1234', () => fs.chown(at('usr'), 1234, 1234)],
];
// Only root can give a folder away.
const possible = REFUSED.filter(([, words]) => process.getuid?.() === 0 || !words.startsWith('belongs'));

test.each(possible)('refuses to put programs in the folder %s, which %s', async (folder, words, change) => {
  await fs.mkdir(at(PROGRAMS), { recursive: true });
  await change();
  const failed = [[expect.stringContaining(`${at(folder)} ${words}`), 1]];
  expect(await run()).toEqual({ printed: [], failed });
  expect([await fs.readdir(root), await fs.readdir(at(PROGRAMS))]).toEqual([['usr'], []]);
});

test('changes nothing at a second run; keeps a changed file and the programs of a changed unit, reports them, and installs or removes the rest; with --force replaces it, and keeps it as .bak', async () => {
  const reports: string[] = [];
  const report = async (title: string, ...args: readonly string[]) => {
    // On the system itself, the command also prints the next steps.
    const system = title.includes('of the system') ? root : '/';
    const { printed, failed } = await run(args, { system, isRoot: true });
    const lines = [
      `=== ${title}`,
      ...printed,
      ...failed.map(([line, exitCode]) => `exit ${exitCode}: ${line}`),
      `programs: ${(await fs.readdir(at('usr/local/lib'))).join()}`,
    ];
    reports.push(`${lines.join('\n').replaceAll(root, '')}\n`);
  };
  const modeOf = async (path: string) => (await fs.stat(at(path))).mode & 0o777;
  await report('the first run');
  const before = await fs.stat(at(PAM_FILE));
  await fs.chmod(at(TALLIES), 0o777);
  await report('the second run, of the system');
  expect((await fs.stat(at(PAM_FILE))).mtimeMs).toBe(before.mtimeMs);
  expect(await modeOf(TALLIES)).toBe(0o700);
  await fs.chmod(at(`${PROGRAMS}/node`), 0o777);
  const changed = `${await textOf(PAM_FILE)}# mine\n`;
  await fs.writeFile(at(PAM_FILE), changed);
  await putFile(at(UNIT), '[Unit]\n', { force: false });
  await report('a changed PAM file, the unit of another version, another mode of Node');
  expect([await modeOf(`${PROGRAMS}/node`), await textOf(PAM_FILE)]).toEqual([0o755, changed]);
  await writeSource('out/hostauth.js', 'Program');
  await report('another program of the same size, --force', '--force');
  await writeSource('out/http.js', '');
  await report('one more program');
  expect(await textOf(`${PAM_FILE}.bak`)).toBe(changed);
  expect(await textOf(PAM_FILE)).toContain(await shipped());
  await fs.rm(at(`${PAM_FILE}.bak`));
  const text = await textOf(UNIT);
  await fs.writeFile(at(UNIT), 'changed');
  await report('--remove with a changed unit, of the system', '--remove');
  expect([await textOf(UNIT), await textOf(`${PROGRAMS}/node`)]).toEqual(['changed', 'Node']);
  await report('--remove --force with a changed unit', '--remove', '--force');
  await fs.rename(at(`${UNIT}.bak`), at(UNIT));
  await fs.writeFile(at(UNIT), text);
  for (const title of ['--remove', '--remove again, of the system']) await report(title, '--remove');
  for (const folder of ['etc/pam.d', 'etc/systemd/system', 'etc/sysusers.d', 'usr/local/lib', 'var/lib'])
    expect([folder, await fs.readdir(at(folder))]).toEqual([folder, []]);
  await expect(reports.join('\n')).toMatchFileSnapshot('testing/reports.txt');
});

async function writePackage(name: string, file: string, text: string): Promise<void> {
  const manifest = JSON.stringify({ name, version: '1.2.3', license: 'MIT' });
  await writeSource(`node_modules/${name}/package.json`, manifest);
  await writeSource(`node_modules/${name}/${file}`, text);
}

test('the commands explain their options, and the manual page names every setting that --help names', async () => {
  const commands = [installCommand(), packageCommand()];
  const texts = commands.map((command) => command.configureHelp({ helpWidth: 80 }).helpInformation());
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/commands.txt');
  const page = manualPage.replaceAll('\\-', '-');
  const settings = settingsHelp().match(/HOSTAUTH_\w+/g) ?? [];
  // The units set it.
  const missing = settings.filter((name) => !page.includes(name) && name !== 'HOSTAUTH_HELPER_SOCKET');
  expect(settings.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

/** Puts a script in place of a tool of Debian's packages. */
async function standIn(tool: string, script: string): Promise<void> {
  vi.stubEnv('PATH', `${join(sources, 'bin')}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await writeSource(`bin/${tool}`, `#!/bin/sh\n${script}\n`);
  await fs.chmod(join(sources, `bin/${tool}`), 0o755);
}

test('the package depends on the libraries and programs that are started, has the sums of its files, all of which are root’s; an upgrade keeps changes of the settings', async () => {
  const note = `echo "$SOURCE_DATE_EPOCH \${0##*/}" "$@" >> ${join(sources, 'notes')}`;
  await standIn('dpkg-deb', `${note}; cp -a "$5" "$6"`);
  await writeSource('LICENSE', 'Copyright');
  await writeSource('nan/package.json', '{"name":"nan","version":"1.0.0"}');
  vi.stubEnv('TMPDIR', join(sources, 'out'));
  const before = await fs.readdir(join(sources, 'out'));
  const texts: string[] = [];
  const to = { output: join(root, 'dist'), architecture: 'arm64', epoch: 1e9 };
  const options = { programs: programs(), project: sources, ...to };
  for (const [version, libraries] of [
    ['1.2.3', 'libc6 (>= 2.34), libpam0g (>= 0.99.7.1)'],
    ['1.2.4', ''],
  ] as const) {
    await standIn('dpkg-shlibdeps', `${note}; echo 'shlibs:Depends=${libraries}'`);
    const tree = await buildPackage({ ...options, version });
    expect(await fs.readdir(join(sources, 'out'))).toEqual(before);
    expect(tree).toBe(join(options.output, `hostauth_${version}_arm64.deb`));
    const [control = '', conffiles = '', sums = ''] = await Promise.all(
      ['control', 'conffiles', 'md5sums'].map((name) => fs.readFile(join(tree, 'DEBIAN', name), 'utf8')),
    );
    expect(execFileSync('md5sum', ['-c', '--quiet', 'DEBIAN/md5sums'], { cwd: tree }).length).toBe(0);
    const found = execFileSync('find', ['etc', 'usr', '-type', 'f', '-printf', '%s '], { cwd: tree });
    const sizes = Array.from(String(found).matchAll(/\d+/g), ([size]) => Math.ceil(Number(size) / 1024));
    expect(control).toContain(`\nInstalled-Size: ${sizes.reduce((sum, size) => sum + size)}\n`);
    const docs = ['changelog', 'included-licenses'].map((name) => `usr/share/doc/hostauth/${name}.gz`);
    const packed = await Promise.all(docs.map((path) => fs.readFile(join(tree, path))));
    texts.push(
      control.replace(/(?<=^Installed-Size: )\d+$/m, 'some'),
      await fs.readFile(join(tree, 'usr/share/doc/hostauth/copyright'), 'utf8'),
      ...packed.map((text) => gunzipSync(text).toString().replace(process.versions.node, 'of this process')),
      conffiles,
      sums.replaceAll(/^\w+/gm, 'md5'),
      await listing(tree),
    );
  }
  expect(await fs.readdir(join(root, 'dist'))).toHaveLength(2);
  const project = join(sources, 'out');
  await fs.rename(join(sources, 'LICENSE'), join(project, 'LICENSE'));
  const words = `the license of ${join(sources, 'bin/node')} is not found: use a Node that was installed with its LICENSE`;
  await expect(buildPackage({ ...options, project, version: '1' })).rejects.toThrow(words);
  const notes = await fs.readFile(join(sources, 'notes'), 'utf8');
  texts.push(notes.replaceAll(root, '').replaceAll(/\/\S*hostauth-package-\w+/g, ''));
  await expect(texts.join('\n')).toMatchFileSnapshot('testing/packages.txt');
});

const callTool = () => runPackageTool('dpkg-deb', [], { env: { PATH: join(sources, 'bin') } });

test('names the tool of packages that is missing, or the last line of one that fails', async () => {
  await expect(callTool()).rejects.toThrow('dpkg-deb is missing: run `sudo apt-get install -y dpkg');
  await standIn('dpkg-deb', 'echo first >&2; echo the cause >&2; exit 2');
  await expect(callTool()).rejects.toThrow(/^dpkg-deb failed: the cause$/);
});

test('`package` builds the version of the manifest, with the given time, that of the last commit, or 2026-01-01, and prints its path; else one line, and exit code 1', async () => {
  const built = vi.fn<typeof buildPackage>(async () => 'x.deb');
  vi.doMock('./buildPackage.ts', async (original) => ({
    ...(await original<object>()),
    buildPackage: built,
  }));
  const loads = vi.fn<() => string | undefined>();
  vi.doMock('../helper/pam/pamBinding.ts', () => ({ checkBinding: loads }));
  vi.resetModules();
  const writes = [process.stdout, process.stderr].map((to) => vi.spyOn(to, 'write').mockReturnValue(true));
  onTestFinished(() => {
    for (const path of ['./buildPackage.ts', '../helper/pam/pamBinding.ts']) vi.doUnmock(path);
    vi.unstubAllGlobals();
    vi.resetModules().restoreAllMocks();
    process.exitCode = undefined;
  });
  const { packageCommand: fresh } = await import('./packageCommand.ts');
  for (const [given, git] of [['5'], ['', 'echo 7'], ['', 'exit 1'], ['1h']] as const) {
    await standIn('git', `[ "$3" = log ] && ${git}`);
    vi.stubEnv('SOURCE_DATE_EPOCH', given);
    await fresh().parseAsync(['--output', 'x'], { from: 'user' });
  }
  loads.mockReturnValueOnce('the binding is not usable');
  for (const arch of [process.arch, 'mips']) {
    vi.stubGlobal('process', Object.create(process, { arch: { value: arch } }));
    await fresh().parseAsync([], { from: 'user' });
    expect(process.exitCode).toBe(1);
    vi.unstubAllGlobals();
  }
  const line = 'SOURCE_DATE_EPOCH takes seconds since 1970, not "1h"\n';
  const other = `Debian has no architecture for ${process.platform} on mips: use another machine\n`;
  const faults = [['the binding is not usable\n'], [other]];
  const paths = Array.from({ length: 3 }, () => ['x.deb\n']);
  expect([...writes.map(({ mock }) => mock.calls), process.exitCode]).toEqual([
    paths,
    [[line], ...faults],
    1,
  ]);
  const project = process.cwd();
  const { version }: { version: string } = JSON.parse(await fs.readFile('package.json', 'utf8'));
  const architecture = debianArchitecture(process.arch);
  const options = { version, architecture, output: `${project}/x`, project };
  expect(built.mock.calls).toMatchObject([5, 7, 1_767_225_600].map((epoch) => [{ ...options, epoch }]));
});

test('lists the license of each package in a source map, including nested ones', async () => {
  await writePackage('a', 'LICENSE', 'Copyright A');
  await writePackage('@scope/b', 'LICENCE.md', 'Copyright B');
  await writePackage('a/node_modules/c', 'license', 'Copyright C');
  await writePackage('unused', 'LICENSE', 'Copyright unused');
  await writePackage('a', 'NOTICE.txt', ' Notice A\n\n');
  await writeSource('node_modules/d/package.json', '{"name":"d","version":"2.0.0","author":{"name":"Dee"}}');
  await writePackage('binding', 'binding.cc', '/*\nCopyright in a source\n*/\nint x;');
  const modules = ['a/index.js', '@scope/b/lib/b.js', 'a/node_modules/c/c.js'];
  const mapped = [...modules.map((path) => `../node_modules/${path}`), '../hostauth/main.ts'];
  await writeSource('out/main.js.map', JSON.stringify({ sources: mapped }));
  await writeSource('out/chunk-x.js.map', JSON.stringify({ sources: ['../node_modules/d/d.js', ...mapped] }));
  const text = await thirdPartyLicenses(join(sources, 'out'), [join(sources, 'node_modules/binding')]);
  await expect(text).toMatchFileSnapshot('testing/licenses.txt');
});

const units = systemdFiles({ under: '/etc', programs: '/usr/lib/hostauth' });
const unitOf = (name: string) => units.find(({ path }) => basename(path) === name)?.text ?? '';

const { stdout } = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' });
/** `--offline` needs version 250. */
const missing = Number(/^systemd (\d+)/.exec(stdout ?? '')?.[1] ?? 0) < 250;
if (missing)
  process.stderr.write('skipped: the scores of the units (systemd-analyze 250 or newer is missing)\n');

test.skipIf(missing).each([
  ['hostauth.service', 1.5],
  ['hostauth-helper.service', 2.7],
])('%s has an exposure of at most %d, as systemd-analyze measures it', async (name, limit) => {
  const path = join(sources, name);
  await fs.writeFile(path, unitOf(name));
  const args = ['security', '--offline=true', '--no-pager', path];
  const report = await promisify(execFile)('systemd-analyze', args);
  const score = /^→ Overall exposure level for \S+: (\d+\.\d+)/mu.exec(report.stdout)?.[1];
  expect(Number(score)).toBeLessThanOrEqual(limit);
});

test('each unit restarts when it ends or hangs, and writes no core file; a restart of the helper does not restart the HTTP process, which keeps the sessions', () => {
  const start =
    'Type=notify NotifyAccess=all Restart=always RestartPreventExitStatus=2 LimitCORE=0 UMask=0077';
  const end = 'WatchdogSec=30 WatchdogSignal=SIGKILL KillMode=mixed TimeoutStopSec=35';
  for (const name of ['hostauth.service', 'hostauth-helper.service'])
    for (const line of `${start} ${end}`.split(' ')) expect(unitOf(name).split('\n')).toContain(line);
  expect(unitOf('hostauth.service')).not.toMatch(/^(Requires|BindsTo|PartOf)=/m);
  expect(unitOf('hostauth.service')).toMatch(/^Wants=hostauth-helper\.service$/m);
});
