/**
 * Ends the process with SIGKILL before its n-th file system call that changes files directly in the folder
 * SOAK_KILL_FOLDER. A write is killed when half of its text is in the file. `SOAK_KILL_AT` sets n from the start;
 * `soakKill.arm(n)` sets it from now on. `soakKill.calls()` returns the names of the calls since then.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, resolve } from 'node:path';

const folder = resolve(process.env.SOAK_KILL_FOLDER ?? '');
const original = { ...fs };
/** The paths of open files in the folder, by descriptor. */
const open = new Map();
let killAt = Number(process.env.SOAK_KILL_AT ?? 0);
let calls = [];

globalThis.soakKill = {
  arm(n) {
    killAt = n;
    calls = [];
  },
  calls: () => calls,
};

const isWatched = (path) =>
  typeof path === 'number' ? open.has(path) : dirname(resolve(String(path))) === folder;

function called(name, half) {
  calls.push(name);
  if (calls.length !== killAt) return;
  half?.();
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

const halfOf = (data) => data.slice(0, Math.floor(data.length / 2));
const isData = (data) => typeof data === 'string' || data instanceof Uint8Array;

/** Replaces a function whose first argument is a path or an open file. */
function watch(object, name) {
  const before = object[name];
  object[name] = (first, second, ...rest) => {
    if (isWatched(first) || (name.startsWith('rename') && isWatched(second)))
      called(
        name,
        isData(second) && name.startsWith('write')
          ? () => original.writeSync(first, halfOf(second))
          : undefined,
      );
    return before(first, second, ...rest);
  };
}

for (const name of ['rename', 'link', 'rm', 'unlink']) {
  watch(fs, `${name}Sync`);
  watch(fs, name);
  watch(promises, name);
}
for (const name of ['fsync', 'fdatasync', 'close', 'write', 'writeFile']) {
  watch(fs, `${name}Sync`);
  watch(fs, name);
}

const isWrite = (flags) => flags !== undefined && flags !== 'r' && flags !== 0;
fs.openSync = (path, flags, ...rest) => {
  if (isWrite(flags) && isWatched(path)) called('openSync');
  const file = original.openSync(path, flags, ...rest);
  if (isWrite(flags) && isWatched(path)) open.set(file, path);
  else open.delete(file);
  return file;
};

const openFile = promises.open;
promises.open = async (path, flags, ...rest) => {
  if (!isWrite(flags) || !isWatched(path)) return openFile(path, flags, ...rest);
  called('open');
  const handle = await openFile(path, flags, ...rest);
  for (const name of ['writeFile', 'write', 'appendFile', 'sync', 'datasync', 'close']) {
    const before = handle[name].bind(handle);
    handle[name] = async (data, ...more) => {
      called(name, isData(data) ? () => original.writeSync(handle.fd, halfOf(data)) : undefined);
      return before(data, ...more);
    };
  }
  return handle;
};
syncBuiltinESMExports();
