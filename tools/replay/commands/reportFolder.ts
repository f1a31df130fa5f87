import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorReason, readErrorReason } from '#node/fileErrorReason.ts';
import { errorCode, pluralize } from '#shared/formatText.ts';
import { UsageError } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { writeOutput } from '../base/openResult.ts';
import { captureReport } from '../inspector/serve/captureReport.ts';
import { readAppPage } from '../inspector/serve/appPage.ts';
import { CaptureError } from '../read/captureDecoder.ts';
import { REVIEW_OUTPUT } from '../convert/redactCapture.ts';
import type { Replayed } from '../engine/sessionAdapter.ts';
import type { FailureGroup } from '../verify/failureGroups.ts';
import { failingPlace } from '../verify/resultLines.ts';
import { escapeMarkup } from '#shared/ipc/inspectorPage.ts';

interface Options {
  readonly path: string;
  /** Whether the reports of an earlier run are replaced. */
  readonly force: boolean | undefined;
  readonly redact: boolean | undefined;
  /** The path of the adapter of another app. */
  readonly app: string | undefined;
  /** The app that is replayed without it. */
  readonly own: Replayed;
}

/** More reports are not written. */
const MOST_REPORTS = 50;

const INDEX = 'index.html';
const REPORT = /^(?:differs|disagrees)-[0-9a-f]{12}\.html$/;

/**
 * Checks the folder of the reports, before the run begins. Resolves to a function that writes a report of the example of each group, and an index.
 * @throws {UsageError} when it is not empty, without `force`; or cannot be used.
 */
export async function openReportFolder(
  { path, force = false, redact = false, app, own }: Options,
  output: Output,
) {
  if (path === '') throw new UsageError('--report-dir takes the path of a folder');
  const existing = await readdir(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw new UsageError(`${path}: ${readErrorReason(error)}`, { cause: error });
  });
  if (existing.length > 0 && !force)
    throw new UsageError(`${path}: is not empty; replace its reports with --force, or name another folder`);
  const { files, adapter } = await readAppPage(app);
  const page = { files, rules: (adapter ?? own.adapter).redact };
  const write = (name: string, pieces: Iterable<string> | AsyncIterable<string>) =>
    writeOutput({ path: join(path, name), pieces, force });
  const onWarning = (text: string) => output.err(`warning: ${text}\n`);

  /** Writes the report of a group's example. Returns its name; `undefined` when there is no step to show. */
  const writeReport = async ({ signature, example }: FailureGroup): Promise<string | undefined> => {
    if (example.difference === undefined) return undefined;
    const hash = createHash('sha256').update(signature).digest('hex').slice(0, 12);
    const name = `${example.outcome}-${hash}.html`;
    const start = failingPlace(example);
    try {
      await write(name, captureReport({ ...page, path: example.capture, start, redact, onWarning }));
      return name;
    } catch (error) {
      if (!(error instanceof CaptureError)) throw error;
      onWarning(`no report: ${error.message}`);
      return undefined;
    }
  };

  return async (groups: readonly FailureGroup[]): Promise<void> => {
    await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw new UsageError(`${path}: cannot be created: ${fileErrorReason(error)}`, { cause: error });
    });
    const lines: ReportLine[] = [];
    const written = new Set<string>();
    for (const group of groups) {
      const report = written.size < MOST_REPORTS ? await writeReport(group) : undefined;
      if (report !== undefined) written.add(report);
      lines.push({ group, report });
    }
    await write(INDEX, [reportIndex(lines, redact)]);
    for (const name of existing)
      if (REPORT.test(name) && !written.has(name)) await rm(join(path, name), { force: true });
    const signatures = pluralize(groups.length, 'signature');
    const reports = written.size === groups.length ? signatures : `${written.size} of ${signatures}`;
    output.err(`${join(path, INDEX)}: reports of ${reports}\n`);
    if (written.size === 0) return;
    output.err(
      redact ? REVIEW_OUTPUT : 'They contain texts of the sessions: --redact replaces personal data.\n',
    );
  };
}

/** A line of the index. */
interface ReportLine {
  readonly group: FailureGroup;
  /** The name of the report; `undefined` when there is none. */
  readonly report: string | undefined;
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
function reportIndex(lines: readonly ReportLine[], redact: boolean): string {
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

function rowOf({ group, report }: ReportLine, redact: boolean): string {
  const { count, signature, isKnown, example } = group;
  const start = failingPlace(example);
  const known = isKnown ? ' (known)' : '';
  const name = redact ? 'redacted' : `<code>${escapeMarkup(example.capture)}</code>`;
  const place =
    start === undefined ? 'open' : 'update' in start ? `update ${start.update}` : `at ${start.t} ms`;
  const link = report === undefined ? 'none' : `<a href="${report}">${place}</a>`;
  return `            <tr><td>${count}</td><td><code>${escapeMarkup(signature)}</code>${known}</td><td>${name}</td><td>${link}</td></tr>`;
}
