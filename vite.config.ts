import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { type EnvironmentOptions, type Plugin, defineConfig } from 'vite';
import { bundlePrograms } from './sim/programs/bundlePrograms.ts';

const at = (path: string) => resolve(import.meta.dirname, path);

/**
 * The web host is the same main process and preload with another `electron` module: these environments resolve it to
 * `src/web`. In the others it stays external, for Electron's runtime provides it.
 */
const ELECTRON_FOR: Record<string, string> = {
  start: at('src/web/electron.ts'),
  webPreload: at('src/web/page/pageElectron.ts'),
  benchSync: at('src/web/electron.ts'),
};

const resolveElectron: Plugin = {
  name: 'parley:resolve-electron',
  enforce: 'pre',
  resolveId(id) {
    if (id !== 'electron') return undefined;
    return ELECTRON_FOR[this.environment.name] ?? { id, external: true };
  },
};

const SQLITE = createRequire(import.meta.filename).resolve('node-sqlite3-wasm');

/**
 * Copies SQLite's WebAssembly file beside each bundle that contains SQLite, and lets the bundle look for it there: the
 * installed product has no `node_modules`.
 */
const bundleSqlite: Plugin = {
  name: 'parley:bundle-sqlite',
  renderChunk(code, { moduleIds }) {
    if (!moduleIds.includes(SQLITE)) return undefined;
    const bundled = code.replace('scriptDirectory = __dirname', 'scriptDirectory = import.meta.dirname');
    if (bundled === code) throw new Error('SQLite no longer looks for its WebAssembly file in __dirname');
    return { code: bundled, map: null };
  },
  writeBundle({ dir = '' }, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
    if (!chunks.some(({ moduleIds }) => moduleIds.includes(SQLITE))) return;
    const wasm = SQLITE.replace(/js$/u, 'wasm');
    copyFileSync(wasm, resolve(dir, basename(wasm)));
  },
};

/** Puts the programs that the simulation runs beside it. */
const bundleSimulated: Plugin = {
  name: 'parley:bundle-simulated',
  applyToEnvironment: ({ name }) => name === 'sim',
  async generateBundle() {
    for (const [name, source] of Object.entries(await bundlePrograms()))
      this.emitFile({ type: 'asset', fileName: `programs/${name}`, source });
  },
};

/** Builds a Node program: our sources are bundled, packages are left to Node (but for those that import `electron`). */
function program(entries: Record<string, string>, outDir: string): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: ['electron-redux', 'redux-persist'] },
    build: {
      outDir: at(outDir),
      ssr: true,
      target: 'node20',
      sourcemap: true,
      emptyOutDir: true,
      rolldownOptions: {
        input: entries,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  };
}

/** Builds a program with its packages, without their checks for developers: the installed product has no `node_modules`. */
const whole = (environment: EnvironmentOptions, external: string[] = []): EnvironmentOptions => ({
  ...environment,
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: { noExternal: true, external },
});

/** Builds a part of the npm package of the replay tool. */
const packaged = ({ define, ...environment }: EnvironmentOptions): EnvironmentOptions => ({
  ...environment,
  define: { ...define, 'import.meta.env.REPLAY_COMMAND': JSON.stringify('npx parley-replay') },
});

/** The inspector, of this checkout and in the npm package. Each script contains everything, so each has a build of its own. */
const inspectorScripts = (outDir: string) => ({
  inspector: script({ inspector: at('tools/replay/inspector/index.tsx') }, outDir),
  inspectorPair: script(
    { sideBySide: at('tools/replay/inspector/sideBySide.tsx') },
    outDir,
    'sideBySide[extname]',
  ),
  inspectorWorker: script({ worker: at('tools/replay/inspector/worker.ts') }, outDir),
});

/** Builds a module with all that it imports in one file, and its source map inside. */
function oneFile(entries: Record<string, string>, outDir: string): EnvironmentOptions {
  const environment = whole(program(entries, outDir));
  const output = { entryFileNames: '[name].mjs', codeSplitting: false };
  return {
    ...environment,
    build: {
      ...environment.build,
      emptyOutDir: false,
      sourcemap: 'inline',
      rolldownOptions: { input: entries, output },
    },
  };
}

/** The thread that finds the lines of source of a step. */
const sourceLines = (outDir: string) =>
  oneFile({ sourceLines: at('tools/replay/why/sourceLinesWorker.ts') }, outDir);

/** Apart from the command, so that it contains only the code that a replay imports. */
const coverageWorker = (outDir: string) =>
  whole(program({ worker: at('tools/replay/coverage/coverageWorker.ts') }, outDir));

/** Builds a module that other projects bundle for browsers, or load in Node: it uses what both have. */
const library = (entries: Record<string, string>, outDir: string): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    outDir: at(outDir),
    target: 'es2022',
    sourcemap: true,
    minify: false,
    emptyOutDir: true,
    modulePreload: false,
    rolldownOptions: {
      input: entries,
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name].js' },
    },
  },
});

/** Builds a preload beside its main: one classic script, because a sandboxed window loads nothing else. */
function preload(outDir: string, external: string[]): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: at(outDir),
      target: 'chrome140',
      emptyOutDir: false,
      rolldownOptions: {
        input: { preload: at('src/preload/preload.ts') },
        external,
        output: { format: external.length > 0 ? 'cjs' : 'iife', entryFileNames: '[name].cjs' },
      },
    },
  };
}

/** Builds one classic script with its styles beside it, so that it works on a server and within one file. */
function script(
  entries: Record<string, string>,
  outDir: string,
  assetFileNames = '[name][extname]',
): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: at(outDir),
      target: 'chrome140',
      emptyOutDir: false,
      cssCodeSplit: false,
      // It contains everything in one file.
      chunkSizeWarningLimit: 1000,
      modulePreload: false,
      rolldownOptions: {
        input: entries,
        // A dynamic import is a part of the script: the helper that would load it is not used.
        checks: { emptyImportMeta: false },
        output: { format: 'iife', entryFileNames: '[name].js', assetFileNames },
      },
    },
  };
}

export default defineConfig({
  root: at('src/renderer'),
  base: './',
  publicDir: false,
  plugins: [resolveElectron, bundleSqlite, bundleSimulated, react()],
  environments: {
    client: {
      build: {
        outDir: at('out/renderer'),
        emptyOutDir: true,
        target: 'chrome140',
        modulePreload: { polyfill: false },
        // It is read from the disk.
        chunkSizeWarningLimit: 1000,
      },
    },
    electronMain: whole(
      program({ main: at('src/main/main.ts'), packaged: at('src/start/packaged.ts') }, 'out/electron'),
    ),
    electronPreload: preload('out/electron', ['electron']),
    start: whole(program({ start: at('src/start/start.ts'), main: at('src/main/main.ts') }, 'out/start')),
    webPreload: preload('out/start', []),
    // `rolldown` is large and rarely needed.
    replay: whole(
      program(
        {
          cli: at('tools/replay/cli.ts'),
          verifyWorker: at('tools/replay/verify/verifyWorker.ts'),
        },
        'out/replay',
      ),
      ['rolldown'],
    ),
    replayCoverage: coverageWorker('out/replayCoverage'),
    package: packaged(
      whole(
        program(
          {
            'parley-replay': at('tools/replay/package/cli.ts'),
            verifyWorker: at('tools/replay/verify/verifyWorker.ts'),
            adapter: at('tools/replay/adapter.ts'),
            vitest: at('tools/replay/describeCaptures.ts'),
            playwright: at('tools/replay/playwright.ts'),
          },
          'tools/replay/package/dist/replay',
        ),
        ['rolldown', 'vitest'],
      ),
    ),
    packageRecord: library({ record: at('tools/replay/record.ts') }, 'tools/replay/package/dist/record'),
    packageCoverage: packaged(coverageWorker('tools/replay/package/dist/replayCoverage')),
    platform: whole(program({ platform: at('platform/main.ts') }, 'out/platform')),
    hostauth: whole(
      program(
        {
          hostauth: at('hostauth/main.ts'),
          http: at('hostauth/http/main.ts'),
          helper: at('hostauth/helper/main.ts'),
          pamChild: at('hostauth/helper/pam/child.ts'),
        },
        'out/hostauth',
      ),
    ),
    ...inspectorScripts('out/inspector'),
    sourceLines: sourceLines('out/inspector'),
    replayedApp: oneFile({ replayedApp: at('src/shared/replay/replayedApp.ts') }, 'out/inspector'),
    ...Object.fromEntries(
      Object.entries(inspectorScripts('tools/replay/package/dist/inspector')).map(([name, part]) => [
        `package_${name}`,
        packaged(part),
      ]),
    ),
    packageSourceLines: packaged(sourceLines('tools/replay/package/dist/inspector')),
    bench: program({ bench: at('bench/bench.ts'), corpus: at('bench/corpus/corpus.ts') }, 'out/bench'),
    benchSync: whole(program({ main: at('bench/sync/main.ts') }, 'out/bench/sync')),
    benchSyncPage: script({ page: at('bench/sync/page.ts') }, 'out/bench/sync'),
    electronCheck: program({ electronCheck: at('tests/electron/electronCheck.ts') }, 'out/electronCheck'),
    soak: program({ soak: at('soak/soak.ts') }, 'out/soak'),
    sim: whole(program({ sim: at('sim/sim.ts'), worker: at('sim/run/worker.ts') }, 'out/sim')),
  },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr') await builder.build(environment);
      }
    },
  },
});
