import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorReason, readErrorReason } from '#node/fileErrorReason.ts';
import { errorCode, pluralize } from '#shared/formatText.ts';
import { UsageError } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { writeOutput } from '../base/openResult.ts';
import { captureReport } from '../inspector/serve/captureReport.ts';
import { type AppPage, readAppPage } from '../inspector/serve/appPage.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { REVIEW_OUTPUT } from '../convert/redactCapture.ts';
import type { FailureGroup } from '../verify/failureGroups.ts';
import { failingPlace } from '../verify/reporter.ts';
import { escapeMarkup } from '#shared/ipc/inspectorPage.ts';

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

/** A line of the index. */
interface ReportLine {
  readonly group: FailureGroup;
  /** The name of the report; `undefined` when there is none. */
  readonly report: string | undefined;
  /** The update or the time at which the report opens; a time is in milliseconds since the start of the recording. */
  readonly place: { readonly update: number } | { readonly t: number } | undefined;
}

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
.scrolled { overflow-x: auto; }
table { border-collapse: collapse; min-width: 40rem; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: 0.5rem 0.75rem; text-align: start; vertical-align: top; }
td { overflow-wrap: anywhere; }
th:first-child, td:first-child { text-align: end; font-variant-numeric: tabular-nums; }
td:last-child { white-space: nowrap; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
`;

/** Returns the HTML page that lists the failures of a run by signature. It names no capture when the reports are redacted. */
function reportIndex(lines: readonly ReportLine[], { redact }: { readonly redact: boolean }): string {
  const failures = lines.reduce((sum, { group }) => sum + group.count, 0);
  const title =
    failures === 0
      ? 'No failures'
      : `${pluralize(failures, 'failure')} with ${pluralize(lines.length, 'signature')}`;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <div class="scrolled" role="region" aria-label="Failures by signature" tabindex="0">
        <table>
          <thead><tr><th scope="col">Captures</th><th scope="col">Signature</th><th scope="col">Example</th><th scope="col">Report</th></tr></thead>
          <tbody>
${lines.map((line) => rowOf(line, redact)).join('\n')}
          </tbody>
        </table>
      </div>
    </main>
  </body>
</html>
`;
}

function rowOf({ group, report, place: start }: ReportLine, redact: boolean): string {
  const { count, signature, isKnown, example } = group;
  const known = isKnown ? ' (known)' : '';
  const name = redact ? 'redacted' : `<code>${escapeMarkup(example.capture)}</code>`;
  const place =
    start === undefined ? 'open' : 'update' in start ? `update ${start.update}` : `at ${start.t} ms`;
  const link = report === undefined ? 'none' : `<a href="${report}">${place}</a>`;
  return `            <tr><td>${count}</td><td><code>${escapeMarkup(signature)}</code>${known}</td><td>${name}</td><td>${link}</td></tr>`;
}
