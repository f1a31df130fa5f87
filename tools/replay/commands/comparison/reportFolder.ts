import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorReason, readErrorReason } from '#files/fileErrorReason.ts';
import { errorCode } from '#shared/errorCode.ts';
import { pluralize } from '#shared/pluralize.ts';
import { UsageError } from '../../base/errors.ts';
import type { Output } from '../../base/output.ts';
import { writeOutput } from '../../base/writeOutput.ts';
import { captureReport } from '../../inspector/report/captureReport.ts';
import { type AppPage, readAppPage } from '../../inspector/serve/appPage.ts';
import { CaptureError } from '../../read/captureError.ts';
import { REVIEW_OUTPUT } from '../../redact/reviewOutput.ts';
import type { FailureGroup } from '../../verify/failureGroups.ts';
import { failingPlace } from '../../verify/reporters/inspectCommand.ts';
import { type ReportLine, reportIndex } from './reportIndex.ts';

/** A folder that receives the reports of a run's failures. */
export interface ReportFolder {
  /** Writes a report of the example of each group, and an index. */
  write(groups: readonly FailureGroup[]): Promise<void>;
}

interface Options {
  readonly path: string;
  /** Whether the reports of an earlier run are replaced. */
  readonly force: boolean;
  readonly redact: boolean;
  /** The path of the adapter of another app. */
  readonly app: string | undefined;
}

/** More reports are not written. */
const MOST_REPORTS = 50;

const INDEX = 'index.html';
const REPORT = /^(?:differs|disagrees)-[0-9a-f]{12}\.html$/;

/**
 * Checks the folder of the reports, before the run begins.
 * @throws {UsageError} when it is not empty, without `force`; or cannot be used.
 */
export async function openReportFolder(options: Options, output: Output): Promise<ReportFolder> {
  const { path, force } = options;
  if (path === '') throw new UsageError('--report-dir takes the path of a folder');
  const existing = await filesIn(path);
  if (existing.length > 0 && !force)
    throw new UsageError(`${path}: is not empty; replace its reports with --force, or name another folder`);
  const page = await readAppPage(options.app);
  return { write: (groups) => writeReports(groups, { ...options, ...page, existing, output }) };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw new UsageError(`${folder}: ${readErrorReason(error)}`, { cause: error });
  }
}

interface Writing extends Options, AppPage {
  /** The names of the files that the folder contained. */
  readonly existing: readonly string[];
  readonly output: Output;
}

async function writeReports(groups: readonly FailureGroup[], writing: Writing): Promise<void> {
  const { path, existing, redact, output } = writing;
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new UsageError(`${path}: cannot be created: ${fileErrorReason(error)}`, { cause: error });
  });
  const lines: ReportLine[] = [];
  let count = 0;
  for (const group of groups) {
    const report = count < MOST_REPORTS ? await writeReport(group, writing) : undefined;
    if (report !== undefined) count++;
    lines.push({ group, report, place: failingPlace(group.example) });
  }
  await write(writing, INDEX, piecesOf(reportIndex(lines, { redact })));
  const written = new Set(lines.map(({ report }) => report));
  for (const name of existing)
    if (REPORT.test(name) && !written.has(name)) await rm(join(path, name), { force: true });
  const signatures = pluralize(groups.length, 'signature');
  const reports = count === groups.length ? signatures : `${count} of ${signatures}`;
  output.err(`${join(path, INDEX)}: reports of ${reports}\n`);
  if (count > 0)
    output.err(
      redact ? REVIEW_OUTPUT : 'They contain texts of the sessions: --redact replaces personal data.\n',
    );
}

/** Writes the report of a group's example. Returns its name; `undefined` when there is no step to show. */
async function writeReport(
  { signature, example }: FailureGroup,
  writing: Writing,
): Promise<string | undefined> {
  if (example.difference === undefined) return undefined;
  const { files, adapter, redact, output } = writing;
  const start = failingPlace(example);
  const hash = createHash('sha256').update(signature).digest('hex').slice(0, 12);
  const name = `${example.outcome}-${hash}.html`;
  const onWarning = (text: string) => output.err(`warning: ${text}\n`);
  try {
    await write(
      writing,
      name,
      captureReport({ path: example.capture, files, adapter, start, redact, onWarning }),
    );
    return name;
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    onWarning(`no report: ${error.message}`);
    return undefined;
  }
}

const write = ({ path, force }: Writing, name: string, pieces: AsyncIterable<string>) =>
  writeOutput({ path: join(path, name), pieces, force });

async function* piecesOf(text: string) {
  yield text;
}
