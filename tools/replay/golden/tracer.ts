import type { CaptureRecord } from '#shared/capture/format.ts';
import { isSameJson } from '../diff/isSameJson.ts';
import type { ActsChange, ConnectionChange, GoldenEnd, GoldenStep, Rejection } from './golden.ts';

/** The replayed code threw an error: this is a difference, not a broken capture. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
}

/** Runs replayed code; @throws {FoldError} when it throws. */
export function inFold<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new FoldError(text, { cause: error });
  }
}

/** The changes between updates, in the form of goldens. */
interface TraceLists {
  readonly connection: readonly ConnectionChange[];
  readonly acts: readonly ActsChange[];
  readonly rejected: readonly Rejection[];
}

/** The end of a capture's replay, in the form of goldens. */
export interface TraceEnd extends TraceLists {
  readonly end: GoldenEnd;
}

/** One update of a trace, which is described when it is needed. */
export interface DescribedStep {
  readonly golden: () => GoldenStep;
  /** Returns the whole state before the update, to which the paths of the golden's changes refer. */
  readonly stateBefore: () => object;
}

/** Is called for each update. */
export type OnStep = (step: DescribedStep) => void;

/** An engine that reports each update, and collects the other parts of a golden. */
export interface Tracer<Result> {
  /** @throws {FoldError} when the replayed code throws. */
  take(record: CaptureRecord): boolean;
  /** @throws {FoldError} when the replayed code throws. */
  finish(): Result;
  /** They grow while records are taken. */
  readonly lists: TraceLists;
  /** Returns the end of the trace, after `finish`. */
  end(): TraceEnd;
}

/** Returns a function that adds the connection to a list when it has changed. */
export function watchConnection(list: ConnectionChange[]) {
  let last: Omit<ConnectionChange, 'at'> | undefined;
  return (at: number, { connection }: { readonly connection: Omit<ConnectionChange, 'at'> }) => {
    if (connection === last) return;
    const isNew = last === undefined || !isSameJson(last, connection);
    last = connection;
    if (isNew) list.push({ at, ...connection });
  };
}
