import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { goldenPath } from '../golden/goldenFile.ts';

/** What an index knows of a file. */
export interface FileStamp {
  /** The system's data of the file, which another content changes; empty when it is too young to be sure of that. */
  readonly stat: string;
  /** The hash of its content. */
  readonly hash: string;
}

/** A file system's clock may be this coarse, milliseconds: a file can change within this time and keep its times. */
const COARSE_MS = 2000;

/** Returns the system's data of a file: size, times, number; `undefined` when there is none. @param now the time, milliseconds since 1970. */
export function fileStat(path: string, now: number): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (!file?.isFile()) return undefined;
  const youngest = file.mtimeMs > file.ctimeMs ? file.mtimeMs : file.ctimeMs;
  if (Number(youngest) > now - COARSE_MS) return '';
  return `${file.size} ${file.mtimeNs} ${file.ctimeNs} ${file.ino}`;
}

/** Returns the stamp of a file; `undefined` when there is none. */
export function fileStamp(path: string, now: number): FileStamp | undefined {
  const stat = fileStat(path, now);
  return stat === undefined ? undefined : { stat, hash: fileHash(path) };
}

/** Returns whether a file has the content of a stamp; it is read only when the system's data is another one. */
export function isUnchanged(path: string, { stat, hash }: FileStamp, now: number): boolean {
  const current = fileStat(path, now);
  if (current === undefined) return false;
  return (current === stat && stat !== '') || fileHash(path) === hash;
}

const fileHash = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('base64url');

/** The files on which the result of a capture depends. */
export const filesOf = (capture: string): readonly [string, string] => [capture, goldenPath(capture)];
