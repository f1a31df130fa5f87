import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { SimAbortController, SimAbortSignal } from '../world/abortController.ts';

const requireOnce = createRequire(import.meta.url);
const required = new Map<string, unknown>();
/** Returns a package or a module of Node. Node looks for its file at each call. */
function nodeRequire(id: string): unknown {
  if (!required.has(id)) required.set(id, requireOnce(id));
  return required.get(id);
}

// A program that runs for a minute checks too little for compiled schemas; the windows have none either (`withoutEval`).
const zod: { config(options: object): void } = requireOnce('zod');
zod.config({ jitless: true });
// Of this process: the packages use it too.
Object.assign(globalThis, { AbortController: SimAbortController, AbortSignal: SimAbortSignal });

/** Bundles that keep no state: every program of this process shares them. */
const SHARED: ReadonlySet<string> = new Set(['shared.js', 'rolldown-runtime.js']);

/** The globals that a program gets from its party. A global that a party lacks is undefined there. */
const GLOBALS = [
  'globalThis',
  'process',
  'Date',
  'Math',
  'performance',
  'queueMicrotask',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'console',
  'window',
  'document',
  'location',
  'navigator',
  'fetch',
  'Blob',
  'URL',
  'Audio',
  'MediaRecorder',
] as const;

const PARAMETERS = ['require', 'module', 'exports', '__dirname', '__filename', 'share', ...GLOBALS];

type Evaluate = (...args: unknown[]) => void;

/** Where a program runs: the modules and globals that take the place of Node's and the browser's. */
export interface Environment {
  readonly modules: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Partial<Record<(typeof GLOBALS)[number], unknown>>>;
}

/** Loads the bundled programs, any number of times each. */
export type LoadProgram = (name: string, environment: Environment) => unknown;

/** The bundles of the programs, as the build of the simulation made them. */
const BUNDLES = join(import.meta.dirname, 'programs');

/** Compiles the bundles once; returns the function that evaluates a program again for each of its runs. */
export function programLoader(): LoadProgram {
  const compiled = new Map<string, Evaluate>();
  for (const name of readdirSync(BUNDLES)) {
    const code = readFileSync(join(BUNDLES, name), 'utf8');
    // What compileFunction returns takes the parameters.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    compiled.set(name, compileFunction(code, PARAMETERS, { filename: `sim:${name}` }) as Evaluate);
  }
  const shared = new Map<string, unknown>();
  const constants = new Map<string, unknown>();
  const share = (name: string, create: () => unknown): unknown => {
    if (!constants.has(name)) constants.set(name, create());
    return constants.get(name);
  };
  const hostGlobals = GLOBALS.map((name): unknown => Reflect.get(globalThis, name));

  const evaluate = (name: string, require: (id: string) => unknown, globals: readonly unknown[]): unknown => {
    const run = compiled.get(name);
    if (run === undefined) throw new Error(`there is no bundle ${name}`);
    const module = { exports: {} };
    run(require, module, module.exports, '/app/out', `/app/out/${name}`, share, ...globals);
    return module.exports;
  };
  const loadShared = (name: string): unknown => {
    if (!shared.has(name)) shared.set(name, evaluate(name, requireShared, hostGlobals));
    return shared.get(name);
  };
  const requireShared = (id: string): unknown =>
    id.startsWith('./') ? loadShared(id.slice(2)) : nodeRequire(id);

  return (program, { modules, globals }) => {
    const own = new Map<string, unknown>();
    const values = GLOBALS.map((name) =>
      name === 'globalThis' ? globals : (globals[name] ?? hostValue(name)),
    );
    const load = (name: string): unknown => {
      if (SHARED.has(name)) return loadShared(name);
      if (!own.has(name)) own.set(name, evaluate(name, require, values));
      return own.get(name);
    };
    const require = (id: string): unknown => {
      if (id in modules) return modules[id];
      return id.startsWith('./') ? load(id.slice(2)) : nodeRequire(id);
    };
    return load(`${program}.js`);
  };
}

/** The globals that a party may use as they are. */
const HOST: ReadonlySet<string> = new Set(['URL', 'Blob', 'console']);

const hostValue = (name: string): unknown => (HOST.has(name) ? Reflect.get(globalThis, name) : undefined);
