import { lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { CaptureError } from '../../read/captureDecoder.ts';
import { readCapture } from '../../read/readCapture.ts';
import { GoldenError } from '../../golden/golden.ts';
import { goldenPath, writeGolden } from '../../golden/goldenFile.ts';
import { FoldError, recordGolden } from '../../golden/traceCapture.ts';
import { UsageError } from '../../base/errors.ts';
import { captureText } from '../../convert/harText.ts';
import { writeErrorReason, writeOutput } from '../../base/openResult.ts';
import { redactedText } from '../../convert/redactCapture.ts';
import type { Replayed } from '../../engine/sessionAdapter.ts';

/** A file name without extension, and without a path. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,99}$/u;

/** Validates the request of the page's "Make a test of this". */
export const makeTestSchema = z.strictObject({
  /** Relative to the folder in which `open` was started, and inside it. */
  folder: z.string().min(1).max(1000),
  name: z.string().regex(NAME, { error: 'the name takes letters, numbers, spaces and . _ -' }),
  redact: z.boolean(),
  /** NDJSON. */
  capture: z.string(),
});

interface Host {
  /** The folder in which `open` was started. */
  readonly cwd: string;
  /** The app of the captures. */
  readonly app: Replayed;
}

/**
 * Writes `<name>.parley.jsonl`, redacted on request, and its golden into a folder inside `cwd`, for `verify`. It overwrites no file, and
 * writes both files or neither.
 * @returns the two files, or the reason for which they were not written, in one line.
 */
export async function makeTest(wanted: z.infer<typeof makeTestSchema>, { cwd, app }: Host) {
  const folder = resolve(cwd, wanted.folder);
  const capture = join(folder, `${wanted.name}.parley.jsonl`);
  const files = [capture, goldenPath(capture)];
  const draft = join(await mkdtemp(join(tmpdir(), 'parley-test-')), 'draft.parley.jsonl');
  try {
    await refuseOutside(folder, cwd);
    await mkdir(folder, { recursive: true });
    for (const path of files)
      if (await isThere(path)) throw new UsageError(`${path}: already exists; choose another name`);
    // Redaction reads a file. Reading also validates the capture.
    await writeFile(draft, wanted.capture, { mode: 0o600 });
    const reader = await readCapture(draft);
    const { header } = reader;
    const pieces = wanted.redact
      ? redactedText(reader, { rules: app.adapter.redact })
      : captureText(header, reader.records());
    await writeOutput({ path: capture, pieces, force: false });
    await addGolden(capture, app);
    return { files };
  } catch (error) {
    const reason = writeErrorReason(error);
    if (reason !== undefined) return { error: `${folder}: ${reason}` };
    if (!isExpected(error)) throw error;
    return { error: error.message.replaceAll(draft, `${wanted.name}.parley.jsonl`) };
  } finally {
    await rm(dirname(draft), { recursive: true, force: true });
  }
}

/** Refuses a folder outside `cwd`. Its links are followed, so that a link does not lead outside either. */
async function refuseOutside(folder: string, cwd: string): Promise<void> {
  let existing = folder;
  // The last parts may not exist yet; a link that leads nowhere is there.
  while (!(await isThere(existing))) existing = dirname(existing);
  const real = join(await realpath(existing), relative(existing, folder));
  const path = relative(await realpath(cwd), real);
  // On Windows, the path to another drive is absolute.
  if (path !== '..' && !path.startsWith(`..${sep}`) && path !== resolve(path)) return;
  throw new UsageError(
    `${folder}: is outside ${cwd}, where the inspector was started; choose a folder inside it, or start \`open\` in another folder`,
  );
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Writes the golden of a capture; removes the capture when that fails. */
async function addGolden(capture: string, app: Replayed): Promise<void> {
  try {
    const { golden } = await recordGolden(capture, app);
    await writeGolden(capture, golden);
  } catch (error) {
    await rm(capture, { force: true });
    throw error;
  }
}

const isExpected = (error: unknown) =>
  error instanceof CaptureError ||
  error instanceof UsageError ||
  error instanceof GoldenError ||
  error instanceof FoldError;
