import {
  headerLine,
  recordLine,
  CAPTURE_FORMAT,
  CAPTURE_VERSION,
  type KnownRecord,
} from '#shared/capture/captureFormat.ts';
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '#node/createLogger.ts';
import { fileErrorReason } from '#node/fileErrorReason.ts';
import type { Cancel, Clock } from '#shared/clock.ts';
import type { SavedSession } from '#shared/ipc/channels.ts';
import { START_APPLIED_MS, START_CAPTURE_BYTES, START_SETTLED_MS } from '#shared/limits.ts';
import { jsonFile } from '../base/jsonFile.ts';
import type { CaptureFolder } from '../capture/captureFolder.ts';

/** Number of failed starts in a row after which a session is launched only on request. */
const MAX_FAILURES = 2;
/** `unsettled`: how many launches in a row did not reach the settled state before the program ended. */
const startsSchema = z.object({ unsettled: z.int().nonnegative() });

interface Options {
  readonly dataDir: string;
  readonly folder: Pick<CaptureFolder, 'adopt'>;
  readonly clock: Clock;
  readonly today: () => Date;
  /** The program's version. */
  readonly version: string;
  readonly log: Logger;
}

/** Detects sessions that end the program. */
export interface StartGuard {
  /** Returns whether the program ended during each of the last two starts. */
  hasFailed(): boolean;
  /** A session is launched: the start counts as failed until it is settled. */
  launching(): void;
  /** Records an event of the session that is being started. */
  record(record: KnownRecord): void;
  /** An update was applied: the session is settled 3 s later. */
  applied(): void;
  /** The session runs, or was ended on purpose: removes the recording of the start. */
  settled(): void;
  /** The person signs out: resets the count and removes the recording. */
  reset(): void;
  /** Returns whether there is a recording that `save` can move. */
  canSave(): boolean;
  /** Moves the recording of the failed start to the captures. Never rejects. */
  save(): Promise<SavedSession>;
}

/**
 * Counts starts in `starting.json`. A start after a failed one records its frames, before they are decoded, in
 * `failed-start.parley.jsonl`, so that they can be saved when this start fails as well. Other starts record nothing.
 *
 *     idle ── launching: counted ──▶ starting ── 3 s after the first applied update, 30 s, or the end ──▶ idle: count 0
 */
export function createStartGuard(options: Options): StartGuard {
  const { dataDir, clock, log } = options;
  const path = join(dataDir, 'failed-start.parley.jsonl');
  const file = jsonFile({ path: join(dataDir, 'starting.json'), schema: startsSchema, log });
  const failuresBefore = file.read()?.unsettled ?? 0;
  let unsettled = failuresBefore;
  let recording: ReturnType<typeof recordStart> | undefined;
  let cancels: Cancel[] | undefined;

  const reset = () => {
    cancels?.forEach((cancel) => cancel());
    cancels = undefined;
    recording?.end();
    recording = undefined;
    if (unsettled > 0) file.write({ unsettled: 0 });
    unsettled = 0;
    removeRecording(path, log);
  };
  const settled = () => {
    if (cancels !== undefined) reset();
  };
  return {
    hasFailed: () => unsettled >= MAX_FAILURES,
    launching() {
      settled();
      if (unsettled > 0) recording = recordStart(path, options);
      unsettled++;
      file.write({ unsettled });
      cancels = [clock.after(START_SETTLED_MS, settled)];
    },
    record: (record) => recording?.record(record),
    applied() {
      if (cancels?.length === 1) cancels.push(clock.after(START_APPLIED_MS, settled));
    },
    settled,
    reset,
    canSave: () => existsSync(path),
    save: () => saveRecording(path, options),
  };
}

function removeRecording(path: string, log: Logger): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    log.warn({ why: fileErrorReason(error) }, 'what a failed start received could not be deleted');
  }
}

async function saveRecording(path: string, { folder, log }: Options): Promise<SavedSession> {
  try {
    return { path: await folder.adopt(path, statSync(path).mtime.toISOString()) };
  } catch (error) {
    const why = fileErrorReason(error);
    log.error({ why }, 'what a failed start received could not be saved');
    return { error: `What was received could not be saved: ${why}.` };
  }
}

/** Records to a new file. Each record is written before the program processes it, so a crash loses none. */
function recordStart(path: string, { today, version, log }: Options) {
  let file: number | undefined;
  let left = START_CAPTURE_BYTES;
  const end = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const write = (line: string) => {
    left -= line.length;
    if (file !== undefined && left >= 0) writeSync(file, line);
  };
  const attempt = (task: () => void) => {
    try {
      task();
    } catch (error) {
      log.warn({ why: fileErrorReason(error) }, 'this start is not recorded');
      file = undefined;
    }
  };
  attempt(() => {
    rmSync(path, { force: true });
    file = openSync(path, 'wx', 0o600);
    const startedAt = today().toISOString();
    write(headerLine({ format: CAPTURE_FORMAT, version: CAPTURE_VERSION, startedAt, app: version }));
  });
  return { record: (record: KnownRecord) => attempt(() => write(recordLine(record))), end };
}
