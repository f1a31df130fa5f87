import type { z } from 'zod';
import { indexDocument } from './changed/indexDocument.ts';
import { distillSchema } from './commands/corpus.ts';
import { statsSchema } from './commands/collectStats.ts';
import { exportSchema } from './commands/export.ts';
import { findSchema } from './commands/find.ts';
import { importSchema } from './commands/import.ts';
import { minimizeSchema } from './commands/minimize.ts';
import { openSchema } from './commands/open.ts';
import { recordingSchema } from './commands/record.ts';
import { redactSchema } from './commands/redact.ts';
import { reportSchema as reportFileSchema } from './commands/report.ts';
import { runSchema } from './commands/run.ts';
import { serveSchema } from './commands/serve.ts';
import { stateSchema } from './commands/state.ts';
import { rowSchema } from './commands/stats.ts';
import { captureDiffSchema, pointDiffSchema } from './compare/diffCaptures.ts';
import { coverageSchema } from './coverage/coverageDocument.ts';
import { whySchema } from './why/whyDocument.ts';
import { recordSchema } from './verify/resultRecord.ts';
import { endSchema, headerSchema, reportSchema } from './verify/resultsFile.ts';

/** What a command prints for programs. */
interface JsonDocument {
  /** The heading of its section in docs/json.md: a command, or a command and its options. */
  readonly name: string;
  /** What it is, after “is”. */
  readonly title: string;
  /** Its schema: the field `version` (`documentVersion`) is the version of the shape. */
  readonly schema: z.ZodObject;
}

const document = (name: string, title: string, schema: z.ZodObject): JsonDocument => ({
  name,
  title,
  schema,
});

/** All that the commands print for programs, in the order of docs/json.md, which is written from it. */
export const JSON_DOCUMENTS: readonly JsonDocument[] = [
  document('run', 'the result of a replay', runSchema),
  document('diff a b', 'how two captures differ', captureDiffSchema),
  document('diff a --from n --to m', 'how the state changed between two updates', pointDiffSchema),
  document('stats', 'the numbers of a session', statsSchema),
  document('stats --per-update', 'one line for each update', rowSchema),
  document('find', 'the steps that match', findSchema),
  document('state', 'the state after a step, or the value at a path of it', stateSchema),
  document('why', 'the history of a value', whySchema),
  document('verify, compare, verify merge', 'the results of all captures', reportSchema),
  document('--reporter ndjson: the first line', 'what was run, by `verify` or `compare`', headerSchema),
  document('--reporter ndjson: each capture', 'one line for each result', recordSchema),
  document('--reporter ndjson: the last line', 'the end of the run', endSchema),
  document('coverage', 'the branches that captures reach', coverageSchema),
  document('index', 'what the index of a corpus contains', indexDocument),
  document('corpus distill', 'a small set of captures with the same coverage', distillSchema),
  document('minimize', 'the shortest capture on which a command fails', minimizeSchema),
  document('redact', 'the capture without personal data', redactSchema),
  document('report', 'the inspector as one file', reportFileSchema),
  document('import', 'the capture of a HAR', importSchema),
  document('export', 'a capture in another format', exportSchema),
  document('open', 'where the inspector listens', openSchema),
  document('record', 'where the recording proxy listens', recordingSchema),
  document('serve', 'the comparison of the client’s frames, at the end', serveSchema),
];
