import { RESULTS_FORMAT, RESULTS_VERSION } from '../resultsFile.ts';
import { briefRecord, endDocument } from './jsonReporter.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

/** Prints a header, then each result on a line as soon as it is ready, then the end of the run. */
export function ndjsonReporter({ output, command, shard, isResumed }: ReporterOptions): Reporter {
  const print = (value: object) => output.out(`${JSON.stringify(value)}\n`);
  // The report to which this one is appended may end in the middle of a line.
  if (isResumed) output.out('\n');
  print({ format: RESULTS_FORMAT, version: RESULTS_VERSION, command, ...(shard && { shard }) });
  return {
    add: (record, group) => print(briefRecord(record, group)),
    end: (ending) => print(endDocument(ending)),
  };
}
