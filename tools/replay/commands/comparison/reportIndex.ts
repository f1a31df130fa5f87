import { createHash } from 'node:crypto';
import { escapeMarkup } from '#shared/inspector/inspectorPage.ts';
import { pluralize } from '#shared/pluralize.ts';
import type { FailureGroup } from '../../verify/failureGroups.ts';

/** A line of the index. */
export interface ReportLine {
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
export function reportIndex(lines: readonly ReportLine[], { redact }: { readonly redact: boolean }): string {
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
