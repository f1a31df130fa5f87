import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { compileFunction } from 'node:vm';
import { ExitError, type Party } from '../world/world.ts';

const require = createRequire(import.meta.url);

type FileSystem = object;

interface Sqlite {
  readonly Database: new (...args: unknown[]) => object;
}

const refuse = () => {
  throw new ExitError('the process was killed');
};
/** The file system of a killed process: nothing reaches the disk. */
const DEAD: FileSystem = new Proxy({}, { get: (_, name) => (name === 'constants' ? {} : refuse) });

let current: FileSystem = DEAD;
let loaded: Sqlite | undefined;

/** Loads SQLite once for this process; its files are those of the party that uses it. */
function load(): Sqlite {
  const path = require.resolve('node-sqlite3-wasm');
  const fs = new Proxy({}, { get: (_, name) => Reflect.get(current, name) });
  const real = { readFileSync };
  let isLoading = true;
  const own = (id: string): unknown => {
    if (id !== 'node:fs') return require(id);
    return new Proxy({}, { get: (_, name) => Reflect.get(isLoading ? real : fs, name) });
  };
  const module = { exports: {} };
  const code = readFileSync(path, 'utf8');
  compileFunction(code, ['require', 'module', 'exports', '__dirname', '__filename'], { filename: path })(
    own,
    module,
    module.exports,
    dirname(path),
    path,
  );
  isLoading = false;
  // The package's own type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return module.exports as Sqlite;
}

/** Returns `node-sqlite3-wasm` for a party, on its file system. The databases of a killed party write nothing more. */
export function sqliteOf(party: Party, fs: FileSystem): object {
  loaded ??= load();
  const { Database } = loaded;
  current = fs;
  const open = new Set<object>();
  const guard = (database: object) =>
    new Proxy(database, {
      get(target, name) {
        if (!party.isAlive) throw new ExitError('the process was killed');
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  const PartyDatabase = new Proxy(Database, {
    construct(Opened, args) {
      const database = new Opened(...args);
      open.add(database);
      return guard(database);
    },
  });
  party.onEnd(() => {
    current = DEAD;
    for (const database of open) close(database);
  });
  return { ...loaded, Database: PartyDatabase };
}

/** Releases SQLite's memory for a database of a killed process; nothing reaches its files. */
function close(database: object): void {
  try {
    if (Reflect.get(database, 'isOpen') === true) Reflect.apply(Reflect.get(database, 'close'), database, []);
  } catch {
    // Its files are gone with the process.
    return;
  }
}
