import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mainFolder } from '#tests/builders/mainFolder.ts';
import { DataFolderError, type System, dataDir, prepareDataFolder } from './dataFolder.ts';

const isRoot = process.getuid?.() === 0;

const system = (environment: Record<string, string> = {}): System => ({
  environment,
  os: 'linux',
  home: () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  },
  uid: process.getuid?.(),
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

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

test('creates the folder that the command line or else PARLEY_DATA_DIR names, for its owner only, without a home folder', () => {
  const path = join(mainFolder(), 'new', 'data');
  expect(prepareDataFolder(null, system({ PARLEY_DATA_DIR: path }))).toBe(path);
  expect([modeOf(path), modeOf(join(path, '..'))]).toEqual(['700', '700']);
  expect(prepareDataFolder(path, system({ PARLEY_DATA_DIR: '/nowhere' }))).toBe(path);
});

test('sets the per-user folder to mode 0700, whether it is new or open to others', () => {
  const home = mainFolder();
  const folder = join(home, 'Parley');
  expect(prepareDataFolder(null, system({ XDG_CONFIG_HOME: home }))).toBe(folder);
  expect(modeOf(folder)).toBe('700');
  chmodSync(folder, 0o755);
  prepareDataFolder(null, system({ XDG_CONFIG_HOME: home }));
  expect(modeOf(folder)).toBe('700');
});

test('refuses another folder that is open to others, or belongs to another user, and says how to fix it', () => {
  const path = join(mainFolder(), 'it is open');
  mkdirSync(path);
  chmodSync(path, 0o701);
  expect(refusalOf(path, system())).toBe(
    `2: the data folder ${path} is open to other users: run \`chmod 700 '${path}'\`, ` +
      'or name another folder with PARLEY_DATA_DIR',
  );
  expect(modeOf(path)).toBe('701');
  expect(refusalOf(path, { ...system(), uid: 4711 })).toBe(
    `2: the data folder ${path} belongs to another user (number ${process.getuid?.()}): start Parley as that user, ` +
      'or name a folder of your own with PARLEY_DATA_DIR',
  );
});

test.runIf(isRoot)(
  'as root, refuses the folder and the home of another user, and creates nothing there',
  () => {
    const home = mainFolder();
    chownSync(home, 4711, 4711);
    expect(refusalOf(null, system({ XDG_CONFIG_HOME: home }))).toContain(
      `${home} belongs to another user (number 4711): start Parley as that user, without sudo`,
    );
    expect(existsSync(join(home, 'Parley'))).toBe(false);
    expect(refusalOf(home, system())).toBe(
      `2: the data folder ${home} belongs to another user (number 4711): start Parley as that user, without sudo, ` +
        'or name a folder of your own with PARLEY_DATA_DIR',
    );
  },
);

test.each<[string, (path: string) => void, string]>([
  ['a file', (path) => writeFileSync(path, ''), 'a file with this name exists'],
  ['a link to nothing', (path) => symlinkSync('/nowhere/at/all', path), 'its folder does not exist'],
])('refuses %s in one line', (_, make, reason) => {
  const path = join(mainFolder(), 'data');
  make(path);
  const message = `2: cannot use the data folder ${path}: ${reason}; name another folder with PARLEY_DATA_DIR`;
  expect(refusalOf(path, system())).toBe(message);
});

test('says what to set when the user has no home folder', () => {
  expect(refusalOf(null, system())).toBe(
    '2: this user has no home folder: set HOME, or name a data folder with PARLEY_DATA_DIR',
  );
});

const XDG = { XDG_CONFIG_HOME: '/xdg' };

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['linux', {}, '/home/ada/.config/Parley'],
  ['linux', XDG, '/xdg/Parley'],
  ['linux', { XDG_CONFIG_HOME: 'relative, which counts as not set' }, '/home/ada/.config/Parley'],
  ['darwin', XDG, '/home/ada/Library/Application Support/Parley'],
  ['win32', { APPDATA: String.raw`C:\Users\ada` }, String.raw`C:\Users\ada/Parley`],
])('contract §2 PARLEY_DATA_DIR: returns the data folder on %s with %j: %s', (os, environment, folder) => {
  expect(dataDir(environment, os, () => '/home/ada')).toBe(folder);
});
