import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { flipFuses } from '@electron/fuses';
import { FUSES } from './fuses.mjs';

const electron = JSON.parse(
  readFileSync(resolve(import.meta.dirname, 'node_modules/electron/package.json'), 'utf8'),
);

/** Sets the fuses in the packed executable, before it is signed. */
async function afterPack({ appOutDir, packager, electronPlatformName }) {
  const name = electronPlatformName === 'linux' ? packager.executableName : packager.appInfo.productFilename;
  const extension = { darwin: '.app', win32: '.exe' }[electronPlatformName] ?? '';
  await flipFuses(resolve(appOutDir, `${name}${extension}`), FUSES);
}

/**
 * The configuration of electron-builder. The bundle of the main process contains its dependencies, so the installers contain
 * our built files and no `node_modules`.
 *
 * @type {import('electron-builder').Configuration}
 */
export const config = {
  appId: 'app.parley.desktop',
  productName: 'Parley',
  copyright: 'Parley, MIT licence',
  directories: { output: 'dist' },
  // Without it, electron-builder searches the packages of the project's root.
  electronVersion: electron.version,
  files: [
    'out/electron/**',
    'out/renderer/**',
    'out/inspector/**',
    '!**/*.map',
    '!node_modules/**',
    'package.json',
    'LICENSE',
  ],
  asar: true,
  // The package contains no native modules.
  npmRebuild: false,
  afterPack,
  publish: null,
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  linux: {
    target: ['AppImage', 'deb'],
    executableName: 'parley',
    category: 'Network;InstantMessaging',
    synopsis: 'A messenger for one person and an assistant',
    icon: 'src/assets/icons',
    maintainer: 'The Parley developers <parley@localhost>',
  },
  deb: { priority: 'optional' },
  mac: {
    target: ['dmg'],
    category: 'public.app-category.social-networking',
    hardenedRuntime: true,
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.plist',
    icon: 'src/assets/icons/1024.png',
    extendInfo: { NSMicrophoneUsageDescription: 'To record the voice messages that you send.' },
  },
  dmg: { sign: false },
  win: { target: ['nsis'], icon: 'src/assets/icons/1024.png' },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
};
