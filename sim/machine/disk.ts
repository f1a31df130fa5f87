import { dirname, basename } from 'node:path';
import type { World, Random } from '../world/world.ts';

/** A file or folder. */
export interface Inode {
  readonly ino: number;
  readonly isFolder: boolean;
  readonly bornAt: number;
  mode: number;
  mtimeMs: number;
  data: Buffer;
  size: number;
  readonly entries: Map<string, Inode>;
  /** The writes since the last sync, the oldest first: what a crash can undo. */
  undo: { readonly offset: number; readonly before: Buffer; readonly sizeBefore: number }[];
}

/** The system's error, as Node throws it. */
export function systemError(code: string, call: string, path = ''): Error {
  const { stackTraceLimit } = Error;
  // A stack costs more than the call of most files that are not there.
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${call} '${path}'`), {
    code,
    syscall: call,
    errno: -1,
    path,
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

/**
 * A disk in memory. It can be full, read-only, and lose what was not synced when the machine crashes:
 *
 *     written ── sync ──▶ durable
 *        └── crash ──▶ the writes and names up to a random one remain, of the last write a random part
 */
export class Disk {
  /** The bytes that fit; a full disk has few or none. */
  room = Infinity;
  isReadOnly = false;
  /** The number of the newest file or folder. */
  inodes = 0;
  readonly root: Inode;
  /** The changes of names since the last sync of a folder. */
  #names: (() => void)[] = [];
  readonly #random: Random;

  constructor(readonly world: World) {
    this.#random = world.randomOf('disk');
    this.root = this.create(true, 0o755);
  }

  create(isFolder: boolean, mode: number): Inode {
    return {
      ino: ++this.inodes,
      isFolder,
      bornAt: this.world.now(),
      mode,
      mtimeMs: this.world.now(),
      data: Buffer.alloc(0),
      size: 0,
      entries: new Map(),
      undo: [],
    };
  }

  /** Finds a file or folder by its absolute path, which has no `.` and `..`. */
  find(path: string): Inode | undefined {
    let node: Inode | undefined = this.root;
    for (const name of path.split('/')) if (name !== '') node = node?.entries.get(name);
    return node;
  }

  /** @throws ENOENT */
  get(path: string, call: string): Inode {
    const node = this.find(path);
    if (node === undefined) throw systemError('ENOENT', call, path);
    return node;
  }

  /** Gives a name, or takes it (`undefined`). @throws EROFS, ENOENT, ENOSPC */
  name(path: string, node: Inode | undefined, call: string): void {
    const folder = this.get(dirname(path), call);
    if (!folder.isFolder) throw systemError('ENOTDIR', call, path);
    this.checkWritable(call, path);
    if (this.room === 0 && node !== undefined && node.size === 0 && !folder.entries.has(basename(path)))
      throw systemError('ENOSPC', call, path);
    const name = basename(path);
    const before = folder.entries.get(name);
    const put = (value: Inode | undefined) =>
      value === undefined ? folder.entries.delete(name) : folder.entries.set(name, value);
    put(node);
    this.#names.push(() => void put(before));
  }

  checkWritable(call: string, path = ''): void {
    if (this.isReadOnly) throw systemError('EROFS', call, path);
  }

  /** Writes bytes; returns how many were written. @throws ENOSPC, EROFS */
  write(node: Inode, bytes: Uint8Array, offset: number): number {
    this.checkWritable('write');
    let { length } = bytes;
    const growth = offset + length - node.size;
    if (growth > this.room) length -= growth - this.room;
    if (length <= 0) throw systemError('ENOSPC', 'write');
    this.room -= Math.max(0, Math.min(growth, this.room));
    const end = offset + length;
    node.undo.push({
      offset,
      before: Buffer.from(node.data.subarray(offset, Math.min(end, node.size))),
      sizeBefore: node.size,
    });
    this.#reserve(node, end);
    if (offset > node.size) node.data.fill(0, node.size, offset);
    node.data.set(bytes.subarray(0, length), offset);
    node.size = Math.max(node.size, end);
    node.mtimeMs = this.world.now();
    return length;
  }

  truncate(node: Inode, size: number): void {
    this.checkWritable('ftruncate');
    const kept = Math.min(size, node.size);
    node.undo.push({
      offset: kept,
      before: Buffer.from(node.data.subarray(kept, node.size)),
      sizeBefore: node.size,
    });
    this.#reserve(node, size);
    node.data.fill(0, kept, size);
    node.size = size;
    node.mtimeMs = this.world.now();
  }

  /** Makes a file's contents durable; of a folder, all names. */
  sync(node: Inode): void {
    if (node.isFolder) this.#names = [];
    else node.undo = [];
  }

  /** The machine loses its power: what was not synced is lost from a random point on. */
  crash(): void {
    const keptNames = this.#random.below(this.#names.length + 1);
    for (const undo of this.#names.splice(keptNames).toReversed()) undo();
    this.#names = [];
    this.#visit(this.root, (node) => {
      const { undo } = node;
      const kept = this.#random.below(undo.length + 1);
      undo
        .slice(kept)
        .toReversed()
        .forEach((write, index, all) => {
          // A part of the first lost write may be there.
          const isTorn = index === all.length - 1 && node.size > write.sizeBefore && this.#random.chance(0.5);
          const part = isTorn ? this.#random.below(node.size - write.sizeBefore) : 0;
          node.data.set(write.before, write.offset);
          node.size = write.sizeBefore + part;
        });
      node.undo = [];
    });
  }

  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void {
    if (this.find(path) !== undefined) this.name(path, undefined, 'rm');
  }

  /** Returns the files below a folder, by their paths. */
  files(folder: string): ReadonlyMap<string, Inode> {
    const found = new Map<string, Inode>();
    const add = (path: string, node: Inode): void => {
      if (!node.isFolder) return void found.set(path, node);
      for (const [name, child] of node.entries) add(`${path}/${name}`, child);
      return undefined;
    };
    const node = this.find(folder);
    if (node !== undefined) add(folder, node);
    return found;
  }

  #visit(node: Inode, task: (file: Inode) => void): void {
    if (!node.isFolder) task(node);
    for (const child of node.entries.values()) this.#visit(child, task);
  }

  #reserve(node: Inode, size: number): void {
    if (node.data.length >= size) return;
    const data = Buffer.alloc(Math.max(size, 2 * node.data.length, 256));
    node.data.copy(data, 0, 0, node.size);
    node.data = data;
  }
}

/** Returns a file's text. */
export const textOf = ({ data, size }: Inode): string => data.toString('utf8', 0, size);
