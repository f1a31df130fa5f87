import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const at = (path: string) => resolve(import.meta.dirname, path);

/** Tests use the web host's `electron`, because Electron's runtime may be missing. */
const alias = [
  { find: /^electron$/, replacement: at('src/web/electron.ts') },
  { find: 'electron-redux/main', replacement: at('node_modules/electron-redux/es/main.js') },
];

/** Tests that are too slow for every run: `npm run test:slow` runs them. */
const SLOW = '**/*.slow.test.ts';
/** Slow tests that wait for answers for a limited time, as their subject does: they run alone. */
const ALONE = 'platform/conformance/*.slow.test.ts';
/** Tests for before a release, which take half an hour: `npm run test:all` runs them after all the others. */
const RELEASE = '**/*.release.test.ts';

/**
 * Tests that start programs or servers, use the accounts of this machine, or read every capture. `npm run test:unit` leaves them out.
 */
const INTEGRATION = [
  'examples/**/*.test.ts',
  'hostauth/*.test.ts',
  'hostauth/{helper,http,link}/**/*.test.ts',
  'src/node/createLogger.test.ts',
  'src/loopback/loopback.test.ts',
  'src/main/session/!(launchSession).test.ts',
  'src/web/server/**/*.test.ts',
  'tests/corpus.test.ts',
  'platform/**/*.test.ts',
  'tools/replay/inspector/serve/serve.test.ts',
  'tools/replay/read/s3.test.ts',
  'tools/replay/{commands,compare,init,net,recorder,verify}/**/*.test.ts',
];

/** They start many programs, which takes four times as long in a worker that has loaded the modules of all others. */
const HOSTAUTH = ['hostauth/**/*.test.ts'];

const UNIT = ['{src/node,src/shared,tools,hostauth,soak}/**/*.test.ts'];

/** Each worker loads the modules for itself, which takes a quarter of its time; the browser's tests use a core beside them. */
const WORKERS = Math.max(1, availableParallelism() - 1);

/** Vitest's 5 s are too short for some tests while other programs use the machine. */
const BUSY_MACHINE_MS = 60_000;

const MEMORY_FOLDER = '/dev/shm';
const MIN_FREE_BYTES = 2 ** 31;

/** Returns whether {@link MEMORY_FOLDER} has room, is writable, and runs programs. */
function canUseMemoryFolder(): boolean {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    const mount = readFileSync('/proc/mounts', 'utf8').match(/^\S+ \/dev\/shm \S+ (\S+)/m);
    return bavail * bsize >= MIN_FREE_BYTES && mount !== null && !mount[1]?.includes('noexec');
  } catch {
    return false;
  }
}

/** Puts temporary files in memory, where that is possible: on a disk, they need a tenth of the processor time of `npm test`. */
const env: Record<string, string> =
  process.env.TMPDIR === undefined && canUseMemoryFolder() ? { TMPDIR: MEMORY_FOLDER } : {};

/** The options of all projects that `npm test` runs. The files of a worker share the loaded modules. Programs start slowly on a busy machine. */
const SHARED = {
  isolate: false,
  testTimeout: BUSY_MACHINE_MS,
  hookTimeout: BUSY_MACHINE_MS,
  expect: { poll: { timeout: 10_000 } },
  env,
};
/** The options of tests of main. */
const server = { deps: { inline: ['electron-redux', 'redux-persist'] } };
/** The apps of the tests of the npm package have tests of their own. */
const FIXTURES = 'tools/replay/package/fixtures/**';
const exclude = [...configDefaults.exclude, FIXTURES, SLOW, RELEASE];

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    // Below `node_modules`. A later run takes a sixth less processor time.
    experimental: { fsModuleCache: true },
    projects: [
      { test: { ...SHARED, name: 'unit', include: UNIT, exclude: [...exclude, ...INTEGRATION] } },
      // For `npm test`: the tests of `unit` and of `INTEGRATION`, because a worker of one project loads the modules of both once.
      {
        resolve: { alias },
        test: {
          ...SHARED,
          name: 'node',
          include: [...UNIT, ...INTEGRATION],
          exclude: [...exclude, ...HOSTAUTH],
          server,
        },
      },
      {
        resolve: { alias },
        test: {
          ...SHARED,
          name: 'app',
          include: ['src/!(node|shared)/**/*.test.ts', 'tests/*.test.ts'],
          exclude: [...exclude, ...INTEGRATION],
          setupFiles: ['tests/freshModules.ts'],
          server,
        },
      },
      // `npm test` runs each in a program of its own, beside the others, with one worker: the browser's files share a browser, a messenger and their pages.
      ...[
        { name: 'browser', include: ['tests/browser/*.test.ts'], groupOrder: 1 },
        { name: 'hostauth', include: HOSTAUTH, groupOrder: 2 },
      ].map(({ name, include, groupOrder }) => ({
        test: { ...SHARED, name, include, exclude, maxWorkers: 1, sequence: { groupOrder } },
      })),
      ...[
        { name: 'slow', include: [SLOW], except: [ALONE], maxWorkers: 2, groupOrder: 0 },
        { name: 'alone', include: [ALONE], except: [], maxWorkers: 1, groupOrder: 1 },
        { name: 'release', include: [RELEASE], except: [], maxWorkers: 1, groupOrder: 2 },
      ].map(({ name, include, except, maxWorkers, groupOrder }) => ({
        resolve: { alias },
        test: {
          name,
          include,
          // Copies of the sources, of a killed run.
          exclude: [...configDefaults.exclude, FIXTURES, 'out/**', ...except],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: SHARED.expect,
          server,
          maxWorkers,
          sequence: { groupOrder },
        },
      })),
    ],
  },
});
