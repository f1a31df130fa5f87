import { dirname, join, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type UnzipFileInfo, unzipSync } from 'fflate';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { errorCode } from '#shared/formatText.ts';
import { readObject } from '../s3/objects.ts';
import { isS3Url } from '../s3/s3.ts';
import { CaptureError } from './captureDecoder.ts';
import { fileStream } from '#node/fileStream.ts';
import { GZIP, STDIN, ZIP, captureName, openStdin, startsWith } from './stdin.ts';

/** A file that contains a HAR. */
export interface HarFile {
  /** Its path; in a zip, the path of the zip and its name there. */
  readonly path: string;
  readonly text: string;
  /**
   * Reads a file beside it.
   * @throws {CaptureError} when the file cannot be read.
   */
  beside(file: string): Promise<{ readonly path: string; readonly text: string }>;
}

/** A larger file is not decompressed: a text of this size is the longest that can be parsed. */
const MOST_BYTES = 512 * 1024 * 1024;
const TOO_LARGE = `is larger than ${MOST_BYTES / 1024 / 1024} MB when it is decompressed`;

/**
 * Reads the HARs of a file, which may be plain, gzipped or a zip; `-` is stdin.
 * @param given the path, which `bytes` replace when they have already been read.
 * @throws {CaptureError} when the file cannot be read, or is larger than 512 MB when it is decompressed.
 */
export async function harFiles(given: string, bytes?: Buffer): Promise<HarFile[]> {
  const path = captureName(given);
  const content = bytes ?? (await read(path, () => bytesOf(given)));
  if (startsWith(content, ZIP)) return zippedHars(path, content);
  const isZipped = startsWith(content, GZIP);
  const text = await read(path, () =>
    (isZipped ? gunzipSync(content, { maxOutputLength: MOST_BYTES }) : content).toString(),
  );
  return [{ path, text, beside: (file) => fileBeside(path, file) }];
}

async function bytesOf(path: string): Promise<Buffer> {
  if (path === STDIN) return buffer((await openStdin()).stream);
  return isS3Url(path) ? buffer(readObject(path)) : buffer(fileStream(path));
}

async function fileBeside(har: string, file: string) {
  const path = isS3Url(har) ? har.replace(/[^/]*$/, () => file) : join(dirname(har), file);
  return { path, text: await read(path, async () => (await bytesOf(path)).toString()) };
}

async function read<T>(path: string, reading: () => T | Promise<T>): Promise<T> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new CaptureError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE') return TOO_LARGE;
  return code === 'Z_BUF_ERROR' ? 'the gzip file ends too early' : readErrorReason(error);
}

/** Returns the HARs of a zip in the order of their names. Omits what macOS adds for each file. */
function zippedHars(zip: string, bytes: Buffer): HarFile[] {
  const hars = unzipped({ zip, bytes, isWanted: (name) => /(?:^|\/)(?!\._)[^/]*\.har$/i.test(name) });
  if (hars.size === 0) throw new CaptureError(`${zip}: contains no .har file`);
  const beside = (har: string) => async (file: string) => {
    const name = posix.join(posix.dirname(har), file);
    const text = unzipped({ zip, bytes, isWanted: (one) => one === name }).get(name);
    if (text === undefined) throw new CaptureError(`${zip}/${name}: there is no such file in the zip`);
    return { path: `${zip}/${name}`, text };
  };
  return [...hars]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => ({ path: `${zip}/${name}`, text, beside: beside(name) }));
}

interface Unzipping {
  readonly zip: string;
  readonly bytes: Buffer;
  readonly isWanted: (name: string) => boolean;
}

/** Decompresses some files of a zip. A file is never decompressed beyond the size that the zip states. */
function unzipped({ zip, bytes, isWanted }: Unzipping): ReadonlyMap<string, string> {
  let size = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    if (!isWanted(name)) return false;
    size += originalSize;
    if (size > MOST_BYTES) throw new CaptureError(`${zip}: ${TOO_LARGE}`);
    return true;
  };
  try {
    const files = Object.entries(unzipSync(bytes, { filter }));
    return new Map(files.map(([name, content]) => [name, decoded(content)]));
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new CaptureError(`${zip}: is not a zip file, or a broken one`, { cause: error });
  }
}

const decoded = ({ buffer: memory, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(memory, byteOffset, byteLength).toString();
