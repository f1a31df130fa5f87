import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'tools/replay/package');
/** npm's cache of these tests. Later runs use it again; `npm ci` removes it. */
const CACHE = join(ROOT, 'node_modules/.cache/parley-npm');
const NPM_FLAGS = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1', '--cache', CACHE];

/** How a program ended, and what it printed. */
export interface Ran {
  readonly status: number;
  readonly out: string;
}

/** A change of a file of a project. Without `from`, the file is new. */
export interface Edit {
  readonly file: string;
  readonly from?: string;
  readonly to: string;
}

/** A copy of a fixture, outside of the checkout, with its packages. */
export interface Project {
  /** Returns the path of a file. */
  at(name: string): string;
  /** Runs a program of the project or of the machine. */
  run(command: string, ...args: readonly string[]): Promise<Ran>;
  /** Runs a program, and returns what it printed. @throws {Error} when it fails. */
  must(command: string, ...args: readonly string[]): Promise<string>;
  /** Installs packages, or those of package.json. */
  install(...packages: readonly string[]): Promise<void>;
  /** @throws {Error} when a file does not contain the text. */
  edit(edits: readonly Edit[]): Promise<void>;
}

/** Runs a program to its end. @param node the executable that scripts of packages use. */
function runIn(cwd: string, node: string, argv: readonly string[]): Promise<Ran> {
  const [command = '', ...args] = argv;
  const PATH = [dirname(node), join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { HOME } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', PARLEY_OPEN: '0' };
  return new Promise((done) => {
    execFile(command, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : Number(error.code ?? -1), out: `${stdout}${stderr}` }),
    );
  });
}

let packed: Promise<string> | undefined;

/** Returns the path of the packed package, with the declarations of the sources of now. */
export const packPackage = (): Promise<string> => (packed ??= pack());

async function pack(): Promise<string> {
  const folder = join(CACHE, 'packed');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const commands = [
    [process.execPath, join(ROOT, 'scripts/packageTypes.mjs'), '--check'],
    ['npm', 'pack', '--pack-destination', folder],
  ];
  for (const argv of commands) {
    const { status, out } = await runIn(PACKAGE, process.execPath, argv);
    if (status !== 0) throw new Error(`${argv.join(' ')}:\n${out}`);
  }
  const [file = ''] = await readdir(folder);
  return join(folder, file);
}

/** Copies a fixture into a temporary folder, which is removed after the test. */
export async function createProject(fixture: string, node = process.execPath): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), `parley-${fixture}-`));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(PACKAGE, 'fixtures', fixture), folder, { recursive: true });
  const run: Project['run'] = (...argv) => runIn(folder, node, argv);
  const must: Project['must'] = async (...argv) => {
    const { status, out } = await run(...argv);
    if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}:\n${out}`);
    return out;
  };
  return {
    at: (name) => join(folder, name),
    run,
    must,
    install: async (...packages) => {
      await must('npm', 'install', ...NPM_FLAGS, ...packages);
    },
    async edit(edits) {
      for (const { file, from, to } of edits) {
        const path = join(folder, file);
        await mkdir(dirname(path), { recursive: true });
        const before = from === undefined ? '' : await readFile(path, 'utf8');
        if (from !== undefined && !before.includes(from)) throw new Error(`${file} has no ${from}`);
        await writeFile(path, from === undefined ? to : before.replace(from, () => to));
      }
    },
  };
}
