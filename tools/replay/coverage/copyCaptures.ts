import { chmod, copyFile, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { writeErrorReason } from '../base/writeOutput.ts';
import { goldenPath } from '../golden/goldenFile.ts';
import { capturesBefore } from '../sessions/capturesBefore.ts';
import type { FoundCapture } from '../read/walkCaptures.ts';
import { isS3Url } from '../s3/s3Url.ts';

/**
 * Checks that a folder can be created.
 * @throws {UsageError} when it exists, and for `-`, which is stdout.
 */
export async function requireNewFolder(folder: string): Promise<void> {
  if (folder === '-') throw new UsageError('-o takes the name of a new folder, not - (stdout)');
  if ((await stat(folder).catch(() => undefined)) !== undefined)
    throw new UsageError(`${folder}: already exists; name a new folder with -o`);
}

/**
 * Copies captures and their goldens, with their modes, to a new folder: completely or not at all. A capture of a folder keeps its path inside that
 * folder.
 * @throws {UsageError} when two captures would have one name, and when a file cannot be copied.
 */
export async function copyCaptures(captures: readonly FoundCapture[], folder: string): Promise<void> {
  const targets = targetNames(captures);
  let temporary: string | undefined;
  try {
    temporary = await mkdtemp(join(dirname(folder), '.parley-distill-'));
    for (const [name, path] of targets) {
      const before = capturesBefore(path);
      // A capture is verified after those before it.
      for (const [i, one] of capturesBefore(name).entries())
        await copyWithGolden(before[i] ?? one, join(temporary, one));
      await copyWithGolden(path, join(temporary, name));
    }
    await requireNewFolder(folder);
    await rename(temporary, folder);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    const reason = writeErrorReason(error);
    if (reason === undefined) throw error;
    throw new UsageError(`${folder}: ${reason}`, { cause: error });
  }
}

/** Returns the path of each capture by its name in the folder. */
function targetNames(captures: readonly FoundCapture[]): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  for (const { path, name } of captures) {
    if (isS3Url(path)) throw new UsageError(`${path}: only files are copied; leave -o out`);
    const target = name === path.replaceAll(sep, '/') ? basename(path) : name;
    const other = targets.get(target);
    if (other !== undefined)
      throw new UsageError(`${other} and ${path} have the same name; name the folder that contains both`);
    targets.set(target, path);
  }
  return targets;
}

async function copyWithGolden(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  for (const [source, target] of [
    [from, to],
    [goldenPath(from), goldenPath(to)],
  ] as const) {
    const file = await stat(source).catch(() => undefined);
    if (file === undefined) continue;
    await copyFile(source, target);
    await chmod(target, file.mode & 0o777);
  }
}
