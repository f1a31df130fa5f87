import { constants } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Party } from '../world/world.ts';
import { type Disk, type Inode, systemError } from './disk.ts';

interface OpenFile {
  readonly node: Inode;
  readonly appends: boolean;
  position: number;
}

interface NodeFsOptions {
  readonly disk: Disk;
  readonly party: Party;
  /** Receives what is written to the descriptor 2. */
  readonly stderr: (text: string) => void;
}

const STDERR = 2;
/** The most milliseconds that an operation of `node:fs/promises` takes. */
const MOST_MS = 3;

type FileData = string | Uint8Array;
const bytesOf = (data: FileData): Uint8Array => (typeof data === 'string' ? Buffer.from(data) : data);

interface StatOptions {
  readonly throwIfNoEntry?: boolean;
}
interface RemoveOptions {
  readonly force?: boolean;
  readonly recursive?: boolean;
}
interface FolderOptions {
  readonly recursive?: boolean;
  readonly mode?: number;
}

function statsOf({ ino, mode, size, mtimeMs, isFolder }: Inode) {
  return {
    dev: 1,
    ino,
    mode,
    size,
    mtimeMs,
    mtime: new Date(mtimeMs),
    uid: 1000,
    isFile: () => !isFolder,
    isDirectory: () => isFolder,
    isFIFO: () => false,
    isSocket: () => false,
    isCharacterDevice: () => false,
    isSymbolicLink: () => false,
  };
}

/** Creates the functions of `node:fs` that change or read names, on a simulated disk. */
function nameFunctions(disk: Disk) {
  const statSync = (path: string, { throwIfNoEntry = true }: StatOptions = {}) => {
    const node = throwIfNoEntry ? disk.get(path, 'stat') : disk.find(path);
    return node === undefined ? undefined : statsOf(node);
  };
  const rmdirSync = (path: string) => {
    const node = disk.get(path, 'rmdir');
    if (!node.isFolder) throw systemError('ENOTDIR', 'rmdir', path);
    if (node.entries.size > 0) throw systemError('ENOTEMPTY', 'rmdir', path);
    disk.name(path, undefined, 'rmdir');
  };
  const unlinkSync = (path: string) => {
    disk.get(path, 'unlink');
    disk.name(path, undefined, 'unlink');
  };
  const mkdirSync = (path: string, { recursive = false, mode = 0o755 }: FolderOptions = {}) => {
    const found = disk.find(path);
    if (found !== undefined) {
      if (recursive && found.isFolder) return;
      throw systemError('EEXIST', 'mkdir', path);
    }
    if (recursive && disk.find(dirname(resolve(path))) === undefined)
      mkdirSync(dirname(resolve(path)), { recursive, mode });
    disk.name(path, disk.create(true, mode), 'mkdir');
  };
  return {
    statSync,
    lstatSync: statSync,
    existsSync: (path: string) => disk.find(path) !== undefined,
    accessSync: (path: string) => void disk.get(path, 'access'),
    realpathSync: (path: string) => (disk.get(path, 'realpath'), resolve(path)),
    readdirSync: (path: string) => {
      const node = disk.get(path, 'scandir');
      if (!node.isFolder) throw systemError('ENOTDIR', 'scandir', path);
      return [...node.entries.keys()].sort();
    },
    mkdirSync,
    rmdirSync,
    unlinkSync,
    rmSync(path: string, { force = false, recursive = false }: RemoveOptions = {}) {
      const node = disk.find(path);
      if (node === undefined && force) return;
      if (disk.get(path, 'rm').isFolder && !recursive) throw systemError('EISDIR', 'rm', path);
      disk.name(path, undefined, 'rm');
    },
    renameSync(from: string, to: string) {
      const node = disk.get(from, 'rename');
      disk.name(to, node, 'rename');
      disk.name(from, undefined, 'rename');
    },
    linkSync(from: string, to: string) {
      const node = disk.get(from, 'link');
      if (disk.find(to) !== undefined) throw systemError('EEXIST', 'link', to);
      disk.name(to, node, 'link');
    },
    chmodSync: (path: string, mode: number) => void (disk.get(path, 'chmod').mode = mode),
  };
}

/** The open files of a party. */
function openFiles(disk: Disk) {
  const open = new Map<number, OpenFile>();
  let next = 10;
  const create = (path: string, how: string, mode: number): Inode => {
    if (how.startsWith('r')) throw systemError('ENOENT', 'open', path);
    const node = disk.create(false, mode);
    disk.name(path, node, 'open');
    return node;
  };
  return {
    /** @throws EBADF */
    get(fd: number, call: string): OpenFile {
      const file = open.get(fd);
      if (file === undefined) throw systemError('EBADF', call);
      return file;
    },
    openSync(path: string, flags: string | number = 'r', mode = 0o666): number {
      const how = typeof flags === 'number' ? numericFlags(flags) : flags;
      if (path.startsWith('/proc/')) throw systemError('ENOENT', 'open', path);
      const found = disk.find(path);
      if (found !== undefined && how.includes('x')) throw systemError('EEXIST', 'open', path);
      if (found?.isFolder === true && how !== 'r') throw systemError('EISDIR', 'open', path);
      const node = found ?? create(path, how, mode);
      if (how !== 'r') disk.checkWritable('open', path);
      if (how.startsWith('w') && node.size > 0) disk.truncate(node, 0);
      open.set(next, { node, appends: how.startsWith('a'), position: 0 });
      return next++;
    },
    closeSync(fd: number): void {
      if (!open.delete(fd)) throw systemError('EBADF', 'close');
    },
  };
}

type Position = number | bigint | null | undefined;

/** Creates the functions of `node:fs` that read files. */
function readFunctions(disk: Disk, files: ReturnType<typeof openFiles>) {
  return {
    readSync(fd: number, into: Uint8Array, ...rest: [offset?: number, length?: number, position?: Position]) {
      const [offset = 0, length = into.length, position] = rest;
      const file = files.get(fd, 'read');
      const at = Number(position ?? file.position);
      const read = Math.max(0, Math.min(length, file.node.size - at));
      into.set(file.node.data.subarray(at, at + read), offset);
      if (position === undefined || position === null) file.position += read;
      return read;
    },
    readFileSync(path: string | number, options?: string | { readonly encoding?: string }) {
      if (typeof path === 'string' && path.startsWith('/proc/')) throw systemError('ENOENT', 'open', path);
      const node = typeof path === 'number' ? files.get(path, 'read').node : disk.get(path, 'open');
      if (node.isFolder) throw systemError('EISDIR', 'read', String(path));
      const bytes = Buffer.from(node.data.subarray(0, node.size));
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding === undefined ? bytes : bytes.toString('utf8');
    },
    fstatSync: (fd: number) => statsOf(fd === STDERR ? disk.root : files.get(fd, 'fstat').node),
  };
}

/** Creates the functions of `node:fs` that write files. */
function writeFunctions({ disk, stderr }: NodeFsOptions, files: ReturnType<typeof openFiles>) {
  const writeBytes = (fd: number, bytes: Uint8Array, position: Position): number => {
    if (fd === STDERR) {
      stderr(Buffer.from(bytes).toString());
      return bytes.length;
    }
    const file = files.get(fd, 'write');
    const at = file.appends ? file.node.size : Number(position ?? file.position);
    const written = disk.write(file.node, bytes, at);
    if (position === undefined || position === null) file.position = at + written;
    return written;
  };
  const writeWhole = (fd: number, data: FileData) => {
    const bytes = bytesOf(data);
    for (let written = 0; written < bytes.length;)
      written += writeBytes(fd, bytes.subarray(written), undefined);
  };
  return {
    writeWhole,
    writeSync(fd: number, data: FileData, ...rest: [offset?: number, length?: number, position?: Position]) {
      const [offset = 0, length, position] = rest;
      if (typeof data === 'string') return writeBytes(fd, bytesOf(data), rest[0]);
      const end = length === undefined ? data.length : offset + length;
      return writeBytes(fd, data.subarray(offset, end), position);
    },
    writeFileSync(target: string | number, data: FileData, options?: { readonly flag?: string }) {
      if (typeof target === 'number') return writeWhole(target, data);
      const fd = files.openSync(target, options?.flag ?? 'w');
      try {
        return writeWhole(fd, data);
      } finally {
        files.closeSync(fd);
      }
    },
    fsyncSync: (fd: number) => disk.sync(files.get(fd, 'fsync').node),
    ftruncateSync: (fd: number, size = 0) => disk.truncate(files.get(fd, 'ftruncate').node, size),
    truncateSync: (path: string, size = 0) => disk.truncate(disk.get(path, 'truncate'), size),
  };
}

/** Creates the functions of `node:fs` that open, read and write files. */
function fileFunctions(options: NodeFsOptions) {
  const { get, ...files } = openFiles(options.disk);
  const all = { get, ...files };
  return { ...files, ...readFunctions(options.disk, all), ...writeFunctions(options, all) };
}

/** Creates the file, and keeps its contents. */
const CREATES = 'c+';

function numericFlags(flags: number): string {
  const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
  if (!writes) return 'r';
  if ((flags & constants.O_CREAT) === 0) return 'r+';
  if ((flags & constants.O_EXCL) !== 0) return 'wx+';
  return (flags & constants.O_TRUNC) !== 0 ? 'w+' : CREATES;
}

/**
 * Creates `node:fs` and `node:fs/promises` of a party, on a simulated disk. What is not synchronous happens after up to 3 ms, in any order, and never after the
 * party was killed.
 */
export function nodeFs(options: NodeFsOptions) {
  const { party } = options;
  const names = nameFunctions(options.disk);
  const files = fileFunctions(options);
  const later = <T>(task: () => T): Promise<T> =>
    new Promise((resolved, reject) => {
      party.schedule(party.random.between(0.01, MOST_MS), () => {
        try {
          resolved(task());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  const async =
    <A extends readonly unknown[], T>(task: (...args: A) => T) =>
    (...args: A) =>
      later(() => task(...args));
  const writeFile = Object.assign(() => undefined, { [promisify.custom]: async(files.writeWhole) });
  const fsync = Object.assign(() => undefined, { [promisify.custom]: async(files.fsyncSync) });
  const handle = (fd: number) => ({
    fd,
    appendFile: async((data: FileData) => files.writeWhole(fd, data)),
    writeFile: async((data: FileData) => files.writeWhole(fd, data)),
    truncate: async((size: number) => files.ftruncateSync(fd, size)),
    sync: async(() => files.fsyncSync(fd)),
    stat: async(() => files.fstatSync(fd)),
    close: async(() => files.closeSync(fd)),
  });
  const promises = {
    access: async(names.accessSync),
    lstat: async((path: string) => names.lstatSync(path)),
    stat: async((path: string) => names.statSync(path)),
    mkdir: async(names.mkdirSync),
    open: (path: string, flags?: string, mode?: number) =>
      later(() => handle(files.openSync(path, flags, mode))),
    readdir: async((path: string) => names.readdirSync(path)),
    readFile: async(files.readFileSync),
    writeFile: async(files.writeFileSync),
    rename: async(names.renameSync),
    rm: async(names.rmSync),
    rmdir: async(names.rmdirSync),
    unlink: async(names.unlinkSync),
    truncate: async(files.truncateSync),
  };
  const createReadStream = (path: string) => Readable.from([files.readFileSync(path)]);
  const fs = { constants, ...names, ...files, writeFile, fsync, createReadStream, promises };
  return { fs, promises };
}
