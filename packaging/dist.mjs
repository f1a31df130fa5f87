/**
 * Builds the installers. For the options: `npm run dist -- --help`.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { Platform, build } from 'electron-builder';
import { config } from './config.mjs';

const PLATFORMS = { linux: Platform.LINUX, mac: Platform.MAC, win: Platform.WINDOWS };
const THIS_PLATFORM = { linux: 'linux', darwin: 'mac', win32: 'win' }[process.platform];

const options = new Command('dist')
  .description('Builds installers in dist/: AppImage and deb, dmg, nsis. Without a platform, for this one.')
  .option('--linux', 'AppImage and deb; downloads the tools that build them')
  .option('--mac', 'dmg, on macOS')
  .option('--win', 'nsis; on Linux it needs wine')
  .option('--dir', 'only the program’s folder, no installer')
  .option('--runtime <folder>', 'an unpacked Electron runtime for the platform')
  .option('--output <folder>', 'the folder of the result', 'dist')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text) });

const end = (line, status) => {
  process.stderr.write(`dist: ${line}\n`);
  process.exit(status);
};

try {
  options.parse();
} catch (error) {
  process.exit(error.exitCode === 0 ? 0 : 2);
}

const { dir, runtime, output, ...chosen } = options.opts();
const names = Object.keys(chosen).length > 0 ? Object.keys(chosen) : [THIS_PLATFORM];

/** The folder of the runtime that the `electron` package downloaded for this platform. */
const fetched = resolve(import.meta.dirname, 'node_modules/electron/dist');
if (runtime !== undefined && !existsSync(runtime)) end(`${runtime}: there is no such folder`, 2);
if (runtime === undefined && names.includes(THIS_PLATFORM) && !existsSync(join(fetched, 'version')))
  end('Electron’s runtime is missing: run `npx install-electron` in packaging/', 1);

for (const name of names) {
  const ownRuntime = runtime ?? (name === THIS_PLATFORM ? fetched : undefined);
  try {
    const made = await build({
      targets: PLATFORMS[name].createTarget(dir ? 'dir' : undefined),
      config: {
        ...config,
        directories: { ...config.directories, output: resolve(output) },
        ...(ownRuntime && { electronDist: resolve(ownRuntime) }),
      },
    });
    for (const file of made) process.stdout.write(`${file}\n`);
  } catch (error) {
    end(`${name} could not be packaged: ${String(error.message).split('\n')[0]}`, 1);
  }
}
