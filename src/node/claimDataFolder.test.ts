import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { CAN_MOUNT, smallDisk } from '#tests/builders/smallDisk.ts';
import { virtualClock } from '#shared/clock.ts';
import { mainLog } from '#tests/builders/mainLog.ts';
import { FolderInUseError, claimDataFolder, watchDataFolder } from './claimDataFolder.ts';
import { type System, DataFolderError, prepareDataFolder } from './dataFolder.ts';
import { type Holder, FolderLock, readHolder } from './folderLock.ts';

beforeEach(() => {
  vi.stubEnv('TMPDIR', mainFolder());
  return () => vi.unstubAllEnvs();
});

function claim(path: string, program: 'web' | 'electron' = 'web') {
  const claimed = claimDataFolder(path, program);
  onTestFinished(() => {
    claimed.release();
    process.off('exit', claimed.release);
  });
  return claimed;
}

/** Starts another process, which runs until the end of the test. */
async function startOther() {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  return { child, pid: child.pid, began: beganOf(child.pid) };
}

function beganOf(pid: number | undefined) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function handTo(files: readonly string[]): Promise<ChildProcess> {
  const { child, pid, began } = await startOther();
  for (const file of files) {
    const holder: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(file, JSON.stringify(Object.assign({}, holder, { pid, began })));
  }
  return child;
}

const isRoot = process.getuid?.() === 0;

const claimsFolder = () => join(process.env.TMPDIR ?? '', `parley-${process.getuid?.()}`);
const claimsIn = () => fs.readdirSync(claimsFolder()).map((name) => join(claimsFolder(), name));

test('refuses a folder that another program uses, in one line that names the program, its process and what to do', async () => {
  const path = mainFolder();
  claim(path);
  const { pid } = await handTo([join(path, 'instance.json'), ...claimsIn()]);
  const end = 'end that program first, or name another folder with PARLEY_DATA_DIR';
  for (const [program, name] of [
    ['web', '`npm start`'],
    ['electron', 'the Parley window'],
    ['platform', '`npm run platform`'],
    ['of a later version', '`npm start`'],
  ]) {
    const file = join(path, 'instance.json');
    fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(fs.readFileSync(file, 'utf8')), program }));
    const message = `the data folder ${path} is in use by ${name} (process ${pid}): ${end}`;
    expect(() => claimDataFolder(path, 'platform')).toThrow(new FolderInUseError(message, expect.anything()));
  }
});

test.skipIf(!CAN_MOUNT)('takes a folder on a full disk by its claim elsewhere, and no other’s', async () => {
  const { path, fill } = smallDisk(64);
  const lock = take(join(path, 'other.json'));
  for (const act of [() => lock.publish(43_100), fill, () => lock.publish(1)]) act();
  expect(readHolder(lock.file)).toMatchObject({ ...OWNER, port: 1 });
  expect([claim(path).isIntact(), fs.readdirSync(path)]).toEqual([true, ['filler', 'other.json']]);
  const { pid } = await handTo(claimsIn());
  const inUse = `the data folder ${path} is in use by \`npm start\` (process ${pid})`;
  expect(() => claimDataFolder(path, 'platform')).toThrow(inUse);
});

test('refuses a new folder at the path of one that was removed while its program runs', async () => {
  const path = mainFolder();
  claim(path);
  const other = await handTo([join(path, 'instance.json'), ...claimsIn()]);
  fs.rmSync(path, { recursive: true });
  fs.mkdirSync(path);
  const removed = `the data folder ${path} was removed while \`npm start\` (process ${other.pid}) used it`;
  expect(() => claimDataFolder(path, 'platform')).toThrow(removed);
  expect(fs.readdirSync(path)).toEqual([]);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(claim(path).isIntact()).toBe(true);
});

test('releases the folder and its path, which it claims only in a folder that others cannot enter; reports in one line one that cannot be written', () => {
  const path = mainFolder();
  const claimed = claim(path);
  expect(claimsIn()).toHaveLength(1);
  claimed.release();
  expect([claimsIn(), fs.readdirSync(path)]).toEqual([[], []]);
  fs.chmodSync(claimsFolder(), 0o710);
  claim(path);
  expect(claimsIn()).toEqual([]);
  const gone = join(path, 'gone');
  const problem = `cannot use the data folder ${gone}: its folder does not exist`;
  const error = new DataFolderError(`${problem}; name another folder with PARLEY_DATA_DIR`);
  expect(() => claimDataFolder(gone, 'web')).toThrow(error);
});

const move = (path: string) => fs.renameSync(path, `${path}-moved`);

test.each<[string, (path: string) => unknown]>([
  ['removed', (path) => fs.rmSync(path, { recursive: true })],
  ['moved away', move],
  ['replaced by a copy', (path) => (move(path), fs.cpSync(`${path}-moved`, path, { recursive: true }))],
  ['without its lock', (path) => fs.rmSync(join(path, 'instance.json'))],
])('detects that the folder is %s', (_, change) => {
  const path = join(mainFolder(), 'data');
  fs.mkdirSync(path);
  const claimed = claim(path);
  expect(claimed.isIntact()).toBe(true);
  expect(process.listeners('exit')).toContain(claimed.release);
  change(path);
  expect(claimed.isIntact()).toBe(false);
});

test('removes the files and the claims that killed programs left, and nothing else', () => {
  const path = mainFolder();
  fs.mkdirSync(join(path, 'captures'));
  const leftovers = [`.parley-${'a'.repeat(24)}.tmp`, `captures/.parley-${'b'.repeat(24)}.tmp`];
  const kept = ['account.json', 'account.json.new', 'captures/a.parley.jsonl', 'captures/x.tmp'];
  for (const name of [...leftovers, ...kept]) fs.writeFileSync(join(path, name), 'secret');
  // The clock was set back since.
  for (const name of leftovers) fs.utimesSync(join(path, name), new Date(), new Date(Date.now() + 3_600_000));
  const outside = join(mainFolder(), 'outside');
  fs.writeFileSync(outside, 'precious');
  fs.symlinkSync(outside, join(path, `.parley-${'c'.repeat(24)}.tmp`));
  fs.mkdirSync(join(path, `.parley-${'d'.repeat(24)}.tmp`));
  fs.mkdirSync(claimsFolder(), { mode: 0o700 });
  const [old = '', young = ''] = ['a', 'b'].map((letter) => `.parley-${letter.repeat(24)}.tmp`);
  const dead = `${'0'.repeat(32)}.json`;
  for (const name of [old, young, dead]) fs.writeFileSync(join(claimsFolder(), name), '');
  fs.utimesSync(join(claimsFolder(), old), new Date(), new Date(Date.now() - 60_000));
  const foreign = isRoot ? [`.parley-${'e'.repeat(24)}.tmp`] : [];
  for (const name of foreign) {
    fs.writeFileSync(join(path, name), '');
    fs.chownSync(join(path, name), 4711, 4711);
  }
  claim(path);
  // In the folder of all programs, another one may be writing.
  expect(fs.readdirSync(claimsFolder()).filter((name) => name === dead || name.endsWith('.tmp'))).toEqual([
    young,
  ]);
  const files = fs.readdirSync(path, { recursive: true }).map(String);
  const others = ['c', 'd'].map((name) => `.parley-${name.repeat(24)}.tmp`);
  expect(files.sort()).toEqual([...kept, 'captures', 'instance.json', ...others, ...foreign].sort());
  expect(fs.readFileSync(outside, 'utf8')).toBe('precious');
});

test('reports a removed data folder once, in the windows and in the log, within a second', () => {
  const clock = virtualClock();
  const { log, lines } = mainLog();
  const notices: string[] = [];
  let isIntact = true;
  watchDataFolder({ folder: { isIntact: () => isIntact }, clock, log, notify: (text) => notices.push(text) });
  clock.advance(5000);
  expect([notices, lines()]).toEqual([[], []]);
  isIntact = false;
  clock.advance(1000);
  expect(notices).toEqual([expect.stringContaining('The data folder was removed or replaced')]);
  const msg = 'the data folder was removed or replaced: nothing is saved from now on; restart the program';
  expect(lines()).toEqual([{ level: 'error', msg }]);
  clock.advance(5000);
  expect([notices.length, lines().length]).toEqual([1, 1]);
});

const OWNER = { secret: 'secret', program: 'web' } as const;
const lockFile = () => join(mainFolder(), 'instance.json');

function take(file: string, owner: Pick<Holder, 'secret' | 'program'> = OWNER): FolderLock {
  const lock = FolderLock.take(file, owner);
  if (!(lock instanceof FolderLock)) throw new Error(`held by ${lock.holder.pid}`);
  return lock;
}

test('a lock is readable by its owner only, and held until it is released, or another one has taken it, which stays', () => {
  const file = lockFile();
  const first = take(file);
  expect([modeOf(file), first.isHeld()]).toEqual(['600', true]);
  const own = { pid: process.pid, began: beganOf(process.pid), port: null };
  expect([readHolder(file), readHolder(join(file, 'below'))]).toEqual([{ ...OWNER, ...own }, null]);
  first.release();
  expect([first.isHeld(), readHolder(file)]).toEqual([false, null]);
  const second = take(file);
  const holder = readHolder(file);
  for (const changed of [{ pid: process.ppid }, { secret: 'of another one' }]) {
    const other = JSON.stringify({ ...holder, ...changed });
    fs.writeFileSync(file, other);
    expect(second.isHeld()).toBe(false);
    second.release();
    expect(fs.readFileSync(file, 'utf8')).toBe(other);
  }
});

test('a lock is free when its process has ended, or another one has its number now, and held by the process of another user; that of the program that has started this one goes on as its own', async () => {
  const ended = spawnSync(process.execPath, ['--version']);
  const file = lockFile();
  const write = (holder: object) =>
    fs.writeFileSync(file, JSON.stringify({ secret: 'theirs', port: 4310, ...holder }));
  const other = await startOther();
  for (const { pid } of [ended, other]) {
    write({ pid, began: '1' });
    expect(take(file).secret).toBe('secret');
  }
  write({ pid: other.pid, began: other.began });
  const kill = vi.spyOn(process, 'kill').mockThrow(Object.assign(new Error('x'), { code: 'EPERM' }));
  expect(readHolder(file)).toMatchObject({ pid: other.pid, secret: 'theirs' });
  kill.mockRestore();
  write({ pid: process.ppid, began: beganOf(process.ppid), secret: 'of both' });
  expect(take(file).secret).toBe('of both');
  expect(readHolder(file)).toMatchObject({ pid: process.pid, port: 4310 });
});

const system = (environment: Record<string, string> = {}): System => ({
  environment,
  os: 'linux',
  home: () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  },
  uid: process.getuid?.(),
});

const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8);

/** Returns the exit status with which the folder is refused, and why. */
function refusalOf(...args: Parameters<typeof prepareDataFolder>): string {
  try {
    prepareDataFolder(...args);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    return `${error.exitStatus}: ${error.message}`;
  }
  throw new Error('it was not refused');
}

test('creates the folder that the command line or else PARLEY_DATA_DIR names, for its owner only, also without a home folder, and says else what to set; sets the per-user folder to mode 0700, whether it is new or open to others; refuses another one that is open to others, or belongs to another user, and says how to fix it', () => {
  const path = join(mainFolder(), 'new', 'data');
  expect(prepareDataFolder(null, system({ PARLEY_DATA_DIR: path }))).toBe(path);
  expect([modeOf(path), modeOf(join(path, '..'))]).toEqual(['700', '700']);
  expect(prepareDataFolder(path, system({ PARLEY_DATA_DIR: '/nowhere' }))).toBe(path);
  const problem = '2: this user has no home folder: set HOME, or name a data folder with PARLEY_DATA_DIR';
  expect(refusalOf(null, system())).toBe(problem);
  const home = mainFolder();
  const folder = join(home, 'Parley');
  fs.symlinkSync(home, `${home}-link`);
  expect(prepareDataFolder(null, system({ XDG_CONFIG_HOME: `${home}-link` }))).toBe(folder);
  expect(modeOf(folder)).toBe('700');
  fs.chmodSync(folder, 0o755);
  prepareDataFolder(null, system({ XDG_CONFIG_HOME: home }));
  expect(modeOf(folder)).toBe('700');
  const other = join(home, "it's 'open'");
  fs.mkdirSync(other);
  fs.chmodSync(other, 0o701);
  const open = `2: the data folder ${other} is open to other users: run \`chmod 700 '${home}/it'\\''s '\\''open'\\'''\`, `;
  expect(refusalOf(other, system())).toBe(`${open}or name another folder with PARLEY_DATA_DIR`);
  expect(modeOf(other)).toBe('701');
  const foreign = `2: the data folder ${other} belongs to another user (number ${process.getuid?.()}): `;
  const fix = 'start Parley as that user, or name a folder of your own with PARLEY_DATA_DIR';
  expect(refusalOf(other, { ...system(), uid: 4711 })).toBe(foreign + fix);
});

test.runIf(isRoot)('refuses root the folder and the home of another user, and creates nothing there', () => {
  const home = mainFolder();
  fs.chownSync(home, 4711, 4711);
  const foreign = `${home} belongs to another user (number 4711): start Parley as that user, without sudo`;
  expect(refusalOf(null, system({ XDG_CONFIG_HOME: home }))).toContain(foreign);
  expect(fs.existsSync(join(home, 'Parley'))).toBe(false);
  const fix = ', or name a folder of your own with PARLEY_DATA_DIR';
  expect(refusalOf(home, system())).toBe(`2: the data folder ${foreign}${fix}`);
});
