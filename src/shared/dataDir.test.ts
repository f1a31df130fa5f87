import { expect, test } from 'vitest';
import { dataDir } from './dataDir.ts';

interface Case {
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly os: string;
  readonly folder: string;
}

test.each<Case>([
  { title: 'Linux', environment: {}, os: 'linux', folder: '/home/ada/.config/Parley' },
  {
    title: 'Linux with XDG_CONFIG_HOME',
    environment: { XDG_CONFIG_HOME: '/xdg' },
    os: 'linux',
    folder: '/xdg/Parley',
  },
  {
    title: 'an empty variable, which counts as not set',
    environment: { XDG_CONFIG_HOME: '' },
    os: 'freebsd',
    folder: '/home/ada/.config/Parley',
  },
  {
    title: 'macOS',
    environment: { XDG_CONFIG_HOME: '/xdg' },
    os: 'darwin',
    folder: '/home/ada/Library/Application Support/Parley',
  },
  {
    title: 'Windows',
    environment: { APPDATA: String.raw`C:\Users\ada\AppData\Roaming` },
    os: 'win32',
    folder: String.raw`C:\Users\ada\AppData\Roaming/Parley`,
  },
  {
    title: 'Windows with an empty APPDATA',
    environment: { APPDATA: '' },
    os: 'win32',
    folder: String.raw`/home/ada\AppData\Roaming/Parley`,
  },
])('contract §2 PARLEY_DATA_DIR: returns the data folder for $title', ({ environment, os, folder }) => {
  expect(dataDir(environment, os, () => '/home/ada')).toBe(folder);
});
