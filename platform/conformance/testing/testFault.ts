import { resolve } from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { type ReportRow, runConformance } from '../runConformance.ts';
import { type Fault, startFaultyPlatform } from './startFaultyPlatform.ts';
import { type StartedProgram, startProgram } from './startProgram.ts';

/** Starts the example of a platform, which is right, for all tests of a file. */
export const startRightPlatform = (): Promise<StartedProgram> =>
  startProgram(resolve(import.meta.dirname, '../../../examples/platform/platform.mjs'), ['0']);

interface Options {
  readonly fault: Fault;
  /** The ids of the checks; `null` makes all of them. */
  readonly only: readonly string[] | null;
  readonly timeoutMs: number;
}

/** Runs checks on a platform that makes one fault. */
export async function testFault(
  right: StartedProgram,
  { fault, only, timeoutMs }: Options,
): Promise<readonly ReportRow[]> {
  const { apiUrl, stop } = await startFaultyPlatform(right.apiUrl, fault);
  const rows = await runConformance({
    apiUrl,
    platformUrl: apiUrl.replace('http:', 'ws:'),
    clock: systemClock(globalThis),
    timeoutMs,
    quietMs: 300,
    say: [],
    login: null,
    only,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  stop();
  return rows;
}
