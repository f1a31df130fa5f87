import type { ResultRecord } from './resultRecord.ts';

/** The failures with one signature. */
export interface FailureGroup {
  readonly signature: string;
  readonly outcome: ResultRecord['outcome'];
  /** Whether the user has listed the signature as known. */
  readonly isKnown: boolean;
  /** The first failure, with its difference. */
  example: ResultRecord;
  count: number;
  /** Further captures, the first few. */
  readonly others: string[];
}

/** The failures of a run by signature. */
interface FailureGroups {
  /** Adds a result. Returns its group, or `undefined` when it is not a failure. */
  add(record: ResultRecord): FailureGroup | undefined;
  /** Returns the groups: new ones before known ones, in the order of their first failures. */
  list(): readonly FailureGroup[];
}

const LISTED_OTHERS = 3;
/** Failures with further signatures are one group, so that memory does not grow with the number of failures. */
const MOST_GROUPS = 1000;
const FURTHER = 'further signatures';

/** Groups failures by signature. A capture that cannot be used is never known. */
export function createFailureGroups(known: ReadonlySet<string> | undefined): FailureGroups {
  const groups = new Map<string, FailureGroup>();
  return {
    add(record) {
      const { outcome, capture } = record;
      if (record.signature === undefined) return undefined;
      const hasRoom = groups.size < MOST_GROUPS || groups.has(record.signature);
      const signature = hasRoom ? record.signature : FURTHER;
      const group = groups.get(signature);
      if (group === undefined) {
        const isKnown = outcome !== 'unusable' && known?.has(signature) === true;
        const created = { signature, outcome, isKnown, example: record, count: 1, others: [] };
        groups.set(signature, created);
        return created;
      }
      group.count++;
      if (group.others.length < LISTED_OTHERS) group.others.push(capture);
      return group;
    },
    list: () => [...groups.values()].sort((a, b) => Number(a.isKnown) - Number(b.isKnown)),
  };
}
