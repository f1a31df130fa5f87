import { setImmediate } from 'node:timers/promises';
import type { CaptureRecord } from '#shared/capture/format.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { TimedEngine } from './replay.ts';

/** Brings an engine through records, and then on until nothing waits. */
export type Drive = (batches: AsyncIterable<readonly CaptureRecord[]>, engine: TimedEngine) => Promise<void>;

/** So many updates at a time; a signal is heard between them. */
const PIECE = 10_000;

/** As fast as it goes. */
export const driveFast: Drive = async (batches, engine) => {
  for await (const batch of batches) {
    for (const record of batch) {
      while (engine.pass(record.t, PIECE)) await setImmediate();
      if (!engine.take(record)) return;
    }
  }
  while (engine.pass(Infinity, PIECE)) await setImmediate();
};

interface Pace {
  readonly clock: Clock;
  /** How many milliseconds of the session one of the clock's takes. */
  readonly speed: number;
  /** The replay goes no further than this. */
  readonly at?: number | undefined;
}

/** Longer waits are taken in parts: timers count in 31 bits. */
const LONGEST_WAIT_MS = 2 ** 30;

/** As the session went, on a clock of our own time: each record and each tick at its moment. */
export function drivePaced({ clock, speed, at = Infinity }: Pace): Drive {
  const start = clock.now();
  const reach = async (time: number) => {
    for (let left = Infinity; left > 0;) {
      left = start + time / speed - clock.now();
      if (left > 0) await waited(clock, Math.min(left, LONGEST_WAIT_MS));
    }
  };
  const passTo = async (engine: TimedEngine, time: number) => {
    for (let due = engine.nextTick(); due !== undefined && due <= time; due = engine.nextTick()) {
      await reach(due);
      engine.pass(due);
    }
  };
  return async (batches, engine) => {
    for await (const batch of batches) {
      for (const record of batch) {
        await passTo(engine, record.t);
        await reach(Math.min(record.t, at));
        if (!engine.take(record)) return;
      }
    }
    await passTo(engine, Infinity);
  };
}

const waited = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
