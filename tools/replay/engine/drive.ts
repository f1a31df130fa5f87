import { setImmediate } from 'node:timers/promises';
import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Clock } from '#shared/time/clock.ts';
import { END } from './nextRelease.ts';
import type { PacedEngine } from './replay.ts';

/** Passes records to an engine, then advances it until no update waits. */
type Drive = (
  batches: AsyncIterable<readonly CaptureRecord[]>,
  engine: PacedEngine<unknown>,
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
  const passTo = async (engine: PacedEngine<unknown>, record: CaptureRecord) => {
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
