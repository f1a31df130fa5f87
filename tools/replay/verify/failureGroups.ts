import type { ResultRecord } from './resultRecord.ts';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { tryParseJson } from '#shared/json.ts';
import { EXIT, type ExitStatus, UsageError } from '../base/errors.ts';
import { fileStream } from '#node/fileStream.ts';
import { STDIN, captureName } from '../read/stdin.ts';

/** The failures with one signature. */
export interface FailureGroup {
  readonly signature: string;
  readonly outcome: ResultRecord['outcome'];
  /** Whether the user has listed the signature as known. */
  readonly isKnown: boolean;
  /** The first failure, with its difference. */
  readonly example: ResultRecord;
  count: number;
  /** Further captures, the first few. */
  readonly others: string[];
}

const LISTED_OTHERS = 3;
/** Failures with further signatures are one group, so that memory does not grow with the number of failures. */
const MOST_GROUPS = 1000;
const FURTHER = 'further signatures';

/** Counts results, and groups the failures by signature. A capture that cannot be used is never known. */
export function createTally(known: ReadonlySet<string> = new Set()) {
  const totals = { captures: 0, same: 0, written: 0, differs: 0, stopped: 0, unusable: 0, known: 0 };
  const groups = new Map<string, FailureGroup>();
  const groupOf = (record: ResultRecord, given: string): FailureGroup => {
    const signature = groups.size < MOST_GROUPS || groups.has(given) ? given : FURTHER;
    const { outcome, capture } = record;
    let group = groups.get(signature);
    if (group === undefined) {
      const isKnown = outcome !== 'unusable' && known.has(signature);
      group = { signature, outcome, isKnown, example: record, count: 0, others: [] };
      groups.set(signature, group);
    } else if (group.others.length < LISTED_OTHERS) group.others.push(capture);
    group.count++;
    return group;
  };
  return {
    totals,
    /** Adds a result. Returns its group, or `undefined` when it is not a failure. */
    add(record: ResultRecord): FailureGroup | undefined {
      const group = record.signature === undefined ? undefined : groupOf(record, record.signature);
      totals.captures++;
      totals[record.outcome]++;
      if (group?.isKnown) totals.known++;
      return group;
    },
    /** Returns the groups: new ones before known ones, in the order of their first failures. */
    groups: (): readonly FailureGroup[] =>
      [...groups.values()].sort((a, b) => Number(a.isKnown) - Number(b.isKnown)),
  };
}

/** The number of results by outcome, and of failures whose signature is known. */
export type Totals = Readonly<ReturnType<typeof createTally>['totals']>;

/** A list of signatures, or a report of `--reporter json`, all of whose signatures are then known. */
const schema = z.union([
  z.array(z.string()),
  z
    .object({ groups: z.array(z.object({ signature: z.string() })) })
    .transform(({ groups }) => groups.map(({ signature }) => signature)),
]);

/**
 * Reads a file of known signatures; `-` is stdin.
 * @throws {UsageError} when it cannot be read.
 */
export async function readKnownSignatures(path: string): Promise<ReadonlySet<string>> {
  const name = captureName(path);
  const reading = async () => textOf(path === STDIN ? process.stdin : fileStream(path));
  const text = await reading().catch((error: unknown) => {
    throw new UsageError(`${name}: ${readErrorReason(error)}`, { cause: error });
  });
  const known = schema.safeParse(tryParseJson(text));
  if (known.success) return new Set(known.data);
  throw new UsageError(`${name}: is neither a JSON list of signatures nor a report of --reporter json`);
}

/** Returns the number of failures: of the code, or of the file. */
export const failureCount = ({ differs, stopped, unusable }: Totals): number => differs + stopped + unusable;

/**
 * Returns the exit status of all results (contract §7): `unusable` has precedence over failures of the code. Known failures do not
 * count.
 */
export function exitStatus(totals: Totals): ExitStatus {
  if (totals.unusable > 0) return EXIT.unusable;
  return failureCount(totals) > totals.known ? EXIT.failed : EXIT.fine;
}
