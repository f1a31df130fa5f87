import type { CaptureRecord } from '#shared/capture/format.ts';
import { isSameJson } from '../diff/valueDiff.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import type { DifferingPlace } from './differingPlace.ts';
import type { ActsChange, ConnectionChange, GoldenEnd, GoldenStep, Rejection } from './golden.ts';
import { inSurroundings } from './surroundings.ts';

/** The replayed code threw an error: this is a difference, not a broken capture. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
}

/** Runs replayed code; @throws {FoldError} when it throws; the error about a capture stays as it is. */
export function inFold<T>(run: () => T): T {
  try {
    return inSurroundings(run);
  } catch (error) {
    if (error instanceof CaptureError) throw error;
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

/** Returns the lists of a trace that begins. */
export const emptyLists = () => ({
  connection: [] as ConnectionChange[],
  acts: [] as ActsChange[],
  rejected: [] as Rejection[],
});

/** The end of a capture's replay, in the form of goldens. */
export interface TraceEnd extends TraceLists {
  readonly end: GoldenEnd;
  /** The whole state after the end of the session and the records that follow it; missing when the session does not end. */
  readonly ended?: Readonly<Record<string, unknown>> | undefined;
  /** How the state in which the capture before this one ended differs from the beginning of this one; missing when it follows none. */
  readonly beginning?: readonly DifferingPlace[] | undefined;
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
  /** Returns the state after the end of the session, after `finish`; see {@link TraceEnd.ended}. */
  ended(): TraceEnd['ended'];
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
