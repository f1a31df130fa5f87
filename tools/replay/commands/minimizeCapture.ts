import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { createTemporaryFolder } from '../base/temporaryFolder.ts';
import { join } from 'node:path';
import { inPieces, CAPTURE_VERSION, type CaptureRecord, isKnown } from '#shared/capture/captureFormat.ts';
import type { Capture } from '../read/readCapture.ts';
import { UsageError } from '../base/errors.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { errorCode } from '#shared/formatText.ts';
import { type ResultRecord, recordOf } from '../verify/resultRecord.ts';

interface Options {
  readonly capture: Capture;
  /** Checks the capture in a file. */
  readonly check: (path: string) => Promise<CheckResult>;
  /** The option that selected the check, for errors. */
  readonly option: string;
  /** Ends the search; the best result so far is returned. */
  readonly signal: AbortSignal;
  /** Is called after each check with the number of remaining records and the number of checks. */
  readonly onCheck: (records: number, checks: number) => void;
}

/**
 * Finds the shortest list of a capture's records on which a check still fails. `isMinimal`: each record is needed; `false` when the search was stopped early.
 * @throws {UsageError} when the check does not fail on the whole capture, or cannot run.
 */
export async function minimizeCapture({ capture, check, option, signal, onCheck }: Options) {
  const { folder, remove } = createTemporaryFolder('parley-minimize-');
  const candidate = join(folder, 'candidate.parley.jsonl');
  let best = capture.records;
  let checks = 0;
  const stillFails = async (units: readonly Unit[]): Promise<boolean> => {
    const records = recordsOf(units);
    await writeFile(candidate, inPieces(candidateText(capture, records)));
    const result = await check(candidate);
    signal.throwIfAborted();
    checks++;
    if (result === 'fails') best = records;
    onCheck(best.length, checks);
    return result === 'fails';
  };
  try {
    const units = unitsOf(capture.records);
    if (!(await stillFails(units))) {
      const advice =
        option === '--fails verify'
          ? '; a difference from its golden is found by --fails compare --base <rev>'
          : '';
      throw new UsageError(
        `${capture.path}: ${option} does not fail on the whole capture, so there is nothing to minimize${advice}`,
      );
    }
    return { records: recordsOf(await ddmin(units, stillFails)), checks, isMinimal: true };
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return { records: best, checks, isMinimal: false };
  } finally {
    remove();
  }
}

/** Records that are only removed together, with their indexes: those of one HTTP request; any other record is alone. */
type Unit = readonly (readonly [index: number, record: CaptureRecord])[];

function unitsOf(records: readonly CaptureRecord[]): Unit[] {
  const units = new Map<string | number, Unit>();
  for (const [index, record] of records.entries()) {
    const key = isKnown(record) && record.type === 'http' ? `request ${record.id}` : index;
    units.set(key, [...(units.get(key) ?? []), [index, record]]);
  }
  return [...units.values()];
}

/** Returns the records of some units in the order of the capture. */
const recordsOf = (units: readonly Unit[]): readonly CaptureRecord[] =>
  units
    .flat()
    .sort(([a], [b]) => a - b)
    .map(([, record]) => record);

/** Formats a capture with some of its records, in the current version. */
export function* candidateText({ header }: Capture, records: readonly CaptureRecord[]) {
  yield `${JSON.stringify({ ...header, version: CAPTURE_VERSION })}\n`;
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Returns whether the failure still occurs with only these items. When it rejects, the search ends. */
type StillFails<T> = (items: readonly T[]) => Promise<boolean>;

/**
 * Finds a short list of the items, in their order, on which the failure still occurs, by delta debugging (Zeller and
 * Hildebrandt's ddmin). At the end, each remaining item is needed. The whole list must fail.
 *
 *     in n parts ── one part fails ────────▶ that part, in 2
 *         │ ─────── all but one fail ──────▶ those, in n − 1
 *         └──────── neither ───────────────▶ the same items, in 2n, until each part is one item
 */
export async function ddmin<T>(all: readonly T[], stillFails: StillFails<T>): Promise<readonly T[]> {
  if (all.length > 0 && (await stillFails([]))) return [];
  let items = all;
  for (let parts = 2; items.length > 1;) {
    const smaller = await reduced(items, parts, stillFails);
    if (smaller === undefined && parts >= items.length) break;
    ({ items, parts } = smaller ?? { items, parts: parts * 2 });
    parts = Math.min(Math.max(2, parts), items.length);
  }
  return items;
}

/** Returns the first list that still fails, one part or all except one, with the next number of parts. */
async function reduced<T>(items: readonly T[], parts: number, stillFails: StillFails<T>) {
  const borders = Array.from({ length: parts + 1 }, (_, i) => Math.round((i * items.length) / parts));
  for (let i = 0; i < parts; i++) {
    const part = items.slice(borders[i], borders[i + 1]);
    if (await stillFails(part)) return { items: part, parts: 2 };
  }
  // With two parts, all except one is the other part.
  if (parts === 2) return undefined;
  for (let i = 0; i < parts; i++) {
    const others = [...items.slice(0, borders[i]), ...items.slice(borders[i + 1])];
    if (await stillFails(others)) return { items: others, parts: parts - 1 };
  }
  return undefined;
}

/** The result of a check. */
type CheckResult = 'passes' | 'fails';

/** The exit codes of a shell for a command that it cannot find or run. */
const NOT_RUN: ReadonlySet<number | null> = new Set([126, 127]);

/**
 * Runs a check on a candidate, without its output. A check that a signal ended counts as passed.
 * @param command a line for the shell; the candidate's path is appended to it, and is also in `PARLEY_CAPTURE_FILE`.
 * @throws {UsageError} when the shell cannot run it.
 */
export async function runCheck(command: string, path: string, signal: AbortSignal): Promise<CheckResult> {
  // For writing only: the `ignore` of Node looks like a closed stdout to this tool, which a check may run.
  const discard = openSync(devNull, 'w');
  // Its own process group, so that everything that the shell started ends with it.
  const child = spawn('/bin/sh', ['-c', `${command} "$@"`, 'sh', path], {
    stdio: ['ignore', discard, discard],
    detached: true,
    env: { ...process.env, PARLEY_CAPTURE_FILE: path },
  });
  closeSync(discard);
  const end = () => endGroup(child.pid);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await once(child, 'close');
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (NOT_RUN.has(child.exitCode)) throw new UsageError(`--check: the shell cannot run \`${command}\``);
  return child.exitCode === null || child.exitCode === 0 ? 'passes' : 'fails';
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has already ended.
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Creates a check that uses the results of `verify` or `compare`. It checks captures one after the other with the same worker: a capture fails with the
 * same outcome and signature as the first one.
 */
export function ownCheck(resultsOf: (captures: AsyncIterable<string>) => AsyncGenerator<ResultRecord, void>) {
  const candidates = new PassThrough({ objectMode: true });
  const results = resultsOf(candidates);
  let wanted: ResultRecord | undefined;
  return {
    /** @throws {UsageError} when the check cannot run, or the first capture cannot be used. */
    async check(path: string): Promise<CheckResult> {
      candidates.write(path);
      const { value } = await results.next();
      // A signal ended the workers.
      if (value === undefined) return 'passes';
      const found = recordOf(value);
      if (wanted === undefined) {
        if (found.outcome === 'unusable') throw new UsageError(found.problem ?? found.outcome);
        wanted = found;
        return found.signature === undefined ? 'passes' : 'fails';
      }
      const isSame = found.outcome === wanted.outcome && found.signature === wanted.signature;
      return isSame ? 'fails' : 'passes';
    },
    /** Ends the workers of the check. */
    async end(): Promise<void> {
      candidates.end();
      await results.return();
    },
  };
}
