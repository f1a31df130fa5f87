import { RESULTS_FORMAT, RESULTS_VERSION } from '../resultsFile.ts';
import { briefRecord, endDocument } from './jsonReporter.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

/** Prints a header, then each result on a line as soon as it is ready, then the end of the run. */
export function ndjsonReporter({ output, command, options, shard, app, base }: ReporterOptions): Reporter {
  const print = (value: object) => output.out(`${JSON.stringify(value)}\n`);
  const about = {
    command,
    ...(options && { options }),
    ...(shard && { shard }),
    ...(app !== undefined && { app }),
    ...(base !== undefined && { base }),
  };
  print({ format: RESULTS_FORMAT, version: RESULTS_VERSION, ...about });
  return {
    add: (record, group) => print(briefRecord(record, group)),
    end: (ending) => print(endDocument(ending)),
  };
}
