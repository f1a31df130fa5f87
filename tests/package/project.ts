import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { mainFolder } from '#tests/builders/mainFolder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = join(ROOT, 'tools/replay/package');
/** npm's cache of these tests. Later runs use it again; `npm ci` removes it. */
const CACHE = join(ROOT, 'node_modules/.cache/parley-npm');
const NPM_FLAGS = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1', '--cache', CACHE];

/** A change of a file of a project. Without `from`, the file is new. */
export interface Edit {
  readonly file: string;
  readonly from?: string;
  readonly to: string;
}

/** A copy of a fixture, outside of the checkout, with its packages. */
export type Project = Awaited<ReturnType<typeof createProject>>;

function runIn(cwd: string, node: string, argv: readonly string[]) {
  const [command = '', ...args] = argv;
  const PATH = [dirname(node), join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const env = { PATH, HOME, NODE_EXTRA_CA_CERTS, NO_COLOR: '1', PARLEY_OPEN: '0' };
  return new Promise<{ status: number; out: string }>((done) => {
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
  const check = [process.execPath, join(ROOT, 'scripts/packageTypes.mjs'), '--check'];
  for (const argv of [check, ['npm', 'pack', '--pack-destination', folder]]) {
    const { status, out } = await runIn(PACKAGE, process.execPath, argv);
    if (status !== 0) throw new Error(`${argv.join(' ')}:\n${out}`);
  }
  const [file = ''] = await readdir(folder);
  return join(folder, file);
}

/** Copies a fixture into a temporary folder, which is removed after the test. @param node runs the scripts of packages. */
export async function createProject(fixture: string, node = process.execPath) {
  const folder = mainFolder();
  await cp(join(PACKAGE, 'fixtures', fixture), folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  /** Runs a program of the project or of the machine. */
  const run = (...argv: readonly string[]) => runIn(folder, node, argv);
  /** Runs a program, and returns what it printed. @throws {Error} when it fails. */
  const must = async (...argv: readonly string[]) => {
    const { status, out } = await run(...argv);
    if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}:\n${out}`);
    return out;
  };
  /** Installs packages, or those of package.json. */
  const install = (...packages: readonly string[]) => must('npm', 'install', ...NPM_FLAGS, ...packages);
  /** @throws {Error} when a file does not contain the text. */
  const edit = async (edits: readonly Edit[]) => {
    for (const { file, from, to } of edits) {
      const before = from === undefined ? '' : await readFile(at(file), 'utf8');
      if (from !== undefined && !before.includes(from)) throw new Error(`${file} has no ${from}`);
      await writeFile(at(file), from === undefined ? to : before.replace(from, () => to));
    }
  };
  return { at, run, must, install, edit };
}
