/**
 * Writes the declarations of each entry of the npm package of the replay tool as one file without our own imports, and their API reports.
 *
 *   node scripts/packageTypes.mjs [--check]
 *
 * The declarations are written to `tools/replay/package/dist/types`, the reports to `tools/replay/package/api`. With `--check`, a report that would change
 * is a fault, and stays; then the packed package is checked too: what it exports exists, and its types resolve.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import * as attw from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGE = join(ROOT, 'tools/replay/package');
const isCheck = process.argv.includes('--check');
const faults = [];

/** The sources of the entries, by the name of their declarations. */
const ENTRIES = {
  adapter: 'tools/replay/adapter.ts',
  record: 'tools/replay/record.ts',
  vitest: 'tools/replay/describeCaptures.ts',
  playwright: 'tools/replay/playwright.ts',
};

const work = mkdtempSync(join(ROOT, 'out/types-'));
try {
  emit();
  for (const [name, source] of Object.entries(ENTRIES)) bundle(name, source);
  if (isCheck) await checkTarball();
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a program; returns what it prints. @throws {Error} when it fails. */
function run(command, args, cwd = ROOT) {
  const { status, stdout } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}`);
  return stdout;
}

/** Emits the declarations of the entries and of what they import; all imports become relative. */
function emit() {
  const config = join(work, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: join(work, 'out'),
  };
  const files = Object.values(ENTRIES).map((source) => join(ROOT, source));
  writeFileSync(
    config,
    JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
  const folders = readJson(join(ROOT, 'package.json')).imports;
  for (const name of readdirSync(join(work, 'out'), { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(work, 'out', name);
    const text = readFileSync(file, 'utf8').replaceAll(
      /(?<=(?:from |import\()["'])([#.][^"']*)\.tsx?(?=["'])/g,
      (_, path) => {
        const own = Object.keys(folders).find((one) => path.startsWith(one.slice(0, -1)));
        const target = own && join(work, 'out', folders[own].slice(0, -1), path.slice(own.length - 1));
        const to = target ? relative(dirname(file), target) : path;
        return `${to.startsWith('.') ? to : `./${to}`}.js`;
      },
    );
    writeFileSync(file, text);
  }
}

/** Writes one entry's declarations and its report. */
function bundle(name, source) {
  const reports = join(PACKAGE, 'api');
  const entry = join(work, 'out', source.replace(/ts$/, 'd.ts'));
  mkdirSync(reports, { recursive: true });
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: work,
      mainEntryPointFilePath: entry,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            module: 'nodenext',
            moduleResolution: 'nodenext',
            skipLibCheck: true,
            types: [],
            lib: ['es2023', 'dom', 'dom.iterable'],
            typeRoots: [],
          },
          files: [entry],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: reports,
        reportTempFolder: join(work, 'reports'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: join(PACKAGE, 'dist/types', `${name}.d.ts`) },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(PACKAGE, 'package.json'),
  });
  const result = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback(message) {
      message.handled = true;
      const isOurs = message.logLevel === ExtractorLogLevel.Error;
      if (isOurs) faults.push(`${name}: ${message.text}`);
    },
  });
  if (isCheck && result.apiReportChanged)
    faults.push(
      `tools/replay/package/api/${name}.api.md is not up to date: run \`npm run package\`, and review it`,
    );
}

/** Packs the package, and checks its version and what is in the archive. */
async function checkTarball() {
  const [ours, own] = [ROOT, PACKAGE].map((folder) => readJson(join(folder, 'package.json')).version);
  if (ours !== own)
    faults.push(`tools/replay/package/package.json has the version ${own}, not ${ours} as the product`);
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], PACKAGE));
  const tarball = readFileSync(join(work, filename));
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(tarball).buffer },
    strict: true,
  });
  faults.push(...messages.map((message) => `publint: ${formatMessage(message, pkg)}`));
  const { problems = [] } = await attw.checkPackage(attw.createPackageFromTarballData(tarball));
  // It is an ESM package: CommonJS can import it, and cannot require it.
  const real = problems.filter(
    ({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10',
  );
  faults.push(...real.map((problem) => `types: ${JSON.stringify(problem)}`));
}
