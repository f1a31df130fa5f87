import { performance } from 'node:perf_hooks';
import type { CaptureRecord } from '#shared/capture/captureFormat.ts';
import type { ReadOptions } from '../read/readBytes.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { type Capture, loadCapture, readCapture } from '../read/readCapture.ts';
import { STDIN } from '../read/stdin.ts';
import { END, type Engine } from './createEngine.ts';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Prepared, Replayed } from './sessionAdapter.ts';

/**
 * Returns the app as it replays a capture. The capture of an app that prepares itself is read into memory.
 * @throws {CaptureError} when such a capture cannot be read.
 */
export async function preparedFor(path: string, replayed: Replayed): Promise<Prepared> {
  if (replayed.prepare === undefined) return { ...replayed, warnings: [] };
  return prepared(await loadStoreCapture(path), replayed);
}

/** Reads a capture for the app of a store, which runs through it once before its replay. @throws {CaptureError} when it cannot be read, and for stdin. */
export async function loadStoreCapture(path: string): Promise<Capture> {
  if (path !== STDIN) return loadCapture(path);
  throw new CaptureError('- (stdin) is read once; name a file for the adapter of a store');
}

/** Returns the app as it replays a capture in memory. */
export const prepared = async (
  { path: name, header, records }: Capture,
  replayed: Replayed,
): Promise<Prepared> =>
  (await replayed.prepare?.({ name, header, records })) ?? { ...replayed, warnings: [] };

/**
 * Streams a capture through an engine; the records are never all in memory. Returns the result with the warnings of the reader; `wallMs` is the time from
 * opening the file to the last folded update, milliseconds.
 * @throws {CaptureError} when the capture cannot be read.
 */
export async function replayFile<Result>(
  path: string,
  engine: Engine<unknown, Result>,
  { drive = driveFast, onRead }: ReadOptions & { readonly drive?: Drive } = {},
) {
  const start = performance.now();
  const { header, records, warnings } = await readCapture(path, { onRead });
  await drive(records(), engine);
  return { header, replay: engine.finish(), warnings, wallMs: performance.now() - start };
}

/** Passes records to an engine, then advances it until no update waits. */
export type Drive = (
  batches: AsyncIterable<readonly CaptureRecord[]>,
  engine: Engine<unknown>,
) => Promise<void>;

/** The number of updates released at a time; signals are handled between them. */
const PIECE = 10_000;

/** Replays as fast as possible. */
export const driveFast: Drive = async (batches, engine) => {
  for await (const batch of batches) {
    for (const record of batch) {
      while (engine.pass(record, PIECE)) await setImmediate();
      if (!engine.take(record)) return;
    }
  }
  while (engine.pass(END, PIECE)) await setImmediate();
};

interface Pace {
  readonly clock: Clock;
  /** Milliseconds of the session per millisecond of the clock. */
  readonly speed: number;
  /** The end of the replay, milliseconds since the launch. */
  readonly at?: number | undefined;
}

/** Longer waits are split: timers have 31 bits. */
const LONGEST_WAIT_MS = 2 ** 30;

/** Replays at a factor of the recorded speed: each record and each tick at its time on the clock. */
export function drivePaced({ clock, speed, at = Infinity }: Pace): Drive {
  const start = clock.now();
  const reach = async (time: number) => {
    for (let left = Infinity; left > 0;) {
      left = start + time / speed - clock.now();
      if (left > 0) await waited(clock, Math.min(left, LONGEST_WAIT_MS));
    }
  };
  const passTo = async (engine: Engine<unknown>, record: CaptureRecord) => {
    for (let due = engine.nextTick(record); due !== undefined; due = engine.nextTick(record)) {
      await reach(due);
      engine.pass(record, 1);
    }
  };
  return async (batches, engine) => {
    for await (const batch of batches) {
      for (const record of batch) {
        await passTo(engine, record);
        await reach(Math.min(record.t, at));
        if (!engine.take(record)) return;
      }
    }
    await passTo(engine, END);
  };
}

const waited = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
