import { createHash } from 'node:crypto';
import { pageEnd, pageStart } from '#shared/inspector/inspectorPage.ts';
import type { Start } from '../protocol/protocol.ts';
import type { PageFiles } from '../serve/pageFiles.ts';

/** The content of a report. */
interface Report {
  readonly files: PageFiles;
  /** The name of the capture that the page shows. */
  readonly name: string;
  /** Where the page opens; before the first step when omitted. */
  readonly start?: Start | undefined;
  /** The gzipped capture as base64. */
  readonly capture: AsyncIterable<string>;
}

const WORKER_ELEMENT = 'inspector-worker';
const CAPTURE_ELEMENT = 'inspector-capture';

/**
 * Yields the inspector as one HTML file, in pieces. The file opens from disk, makes no network requests, and executes no script
 * except its own, whatever a frame contains.
 */
export async function* reportHtml({ files, name, start, capture }: Report): AsyncGenerator<string, void> {
  const scripts = [files.pane, files.script].filter((one) => one !== undefined).map(withinMarkup);
  yield pageStart({
    title: `${name} – Inspector`,
    head: `${policyTag(scripts, files.style)}\n    <style>${files.style}</style>`,
    config: {
      worker: { elementId: WORKER_ELEMENT },
      source: { elementId: CAPTURE_ELEMENT, name },
      makeTest: false,
      ...start,
    },
  });
  yield `    <script type="text/plain" id="${WORKER_ELEMENT}">${withinMarkup(files.worker)}</script>\n`;
  yield `    <script type="text/plain" id="${CAPTURE_ELEMENT}">`;
  yield* capture;
  yield '</script>\n';
  yield pageEnd(scripts.map((script) => `<script>${script}</script>`).join(''));
}

/** Returns the element with the policy, which is in the file because no server sends one: it allows these elements, a worker from text, and images as data. */
function policyTag(scripts: readonly string[], style: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map((script) => `'${hashOf(script)}'`).join(' ')}`,
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

/**
 * Escapes the three sequences that end or change a script element. They occur only in strings, where `\x3c` is equivalent; except for a group of a
 * regular expression with the name `script`, which has no effect without `<!--`.
 */
const withinMarkup = (script: string): string =>
  script.replaceAll(/<(?=!--|\/script)|(?<!\(\?)<(?=script)/gi, String.raw`\x3c`);
