import { createHash } from 'node:crypto';
import { pageEnd, pageStart } from '#shared/inspector/inspectorPage.ts';
import type { PageFiles } from '../serve/pageFiles.ts';

/** A report to be written. */
export interface Report {
  readonly files: PageFiles;
  /** The capture's name, as the page shows it. */
  readonly name: string;
  /** Where it opens; before the first step unless said. */
  readonly step?: number | undefined;
  /** The capture, gzipped, as base64. */
  readonly capture: AsyncIterable<string>;
}

const WORKER_ELEMENT = 'inspector-worker';
const CAPTURE_ELEMENT = 'inspector-capture';

/**
 * The inspector as one file, piece by piece: it opens from disk, asks the network for nothing, and runs no script but
 * its own, whatever a frame holds.
 */
export async function* reportHtml({ files, name, step, capture }: Report): AsyncGenerator<string, void> {
  const script = withinMarkup(files.script);
  yield pageStart({
    title: `${name} – Inspector`,
    head: `${policyTag(script, files.style)}\n    <style>${files.style}</style>`,
    config: {
      worker: { elementId: WORKER_ELEMENT },
      source: { elementId: CAPTURE_ELEMENT, name },
      makeTest: false,
      ...(step !== undefined && { step }),
    },
  });
  yield `    <script type="text/plain" id="${WORKER_ELEMENT}">${withinMarkup(files.worker)}</script>\n`;
  yield `    <script type="text/plain" id="${CAPTURE_ELEMENT}">`;
  yield* capture;
  yield '</script>\n';
  yield pageEnd(`<script>${script}</script>`);
}

/** A file has no server to send a policy, so it says its own: these two elements, a worker of its text, data as pictures. */
function policyTag(script: string, style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'worker-src blob:',
    'img-src data: blob:',
    'media-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'trusted-types dompurify inspector',
    "require-trusted-types-for 'script'",
  ].join('; ');
  return `<meta http-equiv="content-security-policy" content="${policy}" />`;
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The three beginnings that end or change a script element stand in strings of ours only; there `\x3c` is the same. */
const withinMarkup = (script: string): string =>
  script.replaceAll(/<(?=!--|script|\/script)/gi, String.raw`\x3c`);
