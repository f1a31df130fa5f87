import type { FailureGroup } from '../failureGroups.ts';
import type { ResultRecord } from '../resultRecord.ts';
import { type Ending, type Reporter, type ReporterOptions, isListed } from './reporter.ts';

/** Prints one JSON document, piece by piece: the results, then the totals and the groups of failures. */
export function jsonReporter({ output, isMerge = false }: ReporterOptions): Reporter {
  let separator = '{"results":[';
  return {
    add(record, group) {
      if (isMerge && !isListed(record)) return;
      output.out(`${separator}${JSON.stringify(briefRecord(record, group))}`);
      separator = ',';
    },
    end(ending) {
      const opening = separator === ',' ? '' : separator;
      output.out(`${opening}],${JSON.stringify(endDocument(ending)).slice(1)}\n`);
    },
  };
}

/** Returns a record without its difference, unless it is the example of its group. */
export function briefRecord(record: ResultRecord, group: FailureGroup | undefined): ResultRecord {
  if (group === undefined || group.example === record) return record;
  const { difference: _difference, ...brief } = record;
  return brief;
}

/** Returns the end of a run as the JSON reports contain it. */
export const endDocument = ({ end, totals, groups, seconds }: Ending) => ({
  end,
  interrupted: end === 'SIGINT' || end === 'SIGTERM',
  ...totals,
  seconds,
  groups: groups.map(({ signature, count, isKnown, example }) => ({
    signature,
    count,
    known: isKnown,
    example: example.capture,
  })),
});
