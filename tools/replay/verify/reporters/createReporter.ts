import { jsonReporter } from './jsonReporter.ts';
import { junitReporter } from './junitReporter.ts';
import { ndjsonReporter } from './ndjsonReporter.ts';
import { prettyReporter } from './prettyReporter.ts';
import type { Reporter, ReporterOptions } from './reporter.ts';

const CREATE = {
  pretty: prettyReporter,
  json: jsonReporter,
  ndjson: ndjsonReporter,
  junit: junitReporter,
} as const;

export type ReporterName = keyof typeof CREATE;

/** The names of the reporters. */
export const REPORTERS: readonly ReporterName[] = ['pretty', 'json', 'ndjson', 'junit'];

/** Creates a reporter by its name. */
export const createReporter = (name: ReporterName, options: ReporterOptions): Reporter =>
  CREATE[name](options);
