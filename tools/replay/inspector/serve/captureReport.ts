import { pageEnd, pageStart } from '#shared/ipc/inspectorPage.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { type Readable, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { captureText } from '../../convert/harText.ts';
import { redactedText } from '../../convert/redactCapture.ts';
import type { RedactionRules } from '../../engine/appAdapter.ts';
import { readCapture } from '../../read/readCapture.ts';
import { isHar, readBytes } from '../../read/readBytes.ts';
import { STDIN, captureName } from '../../read/stdin.ts';
import { isS3Url } from '../../read/s3.ts';
import type { Start } from '../protocol/protocol.ts';
import { type PageFiles, pagePolicy } from './appPage.ts';

/** What a report contains, and where it opens. */
interface CaptureReport {
  /** The path of the capture. */
  readonly path: string;
  readonly files: PageFiles;
  /** Before the first step when omitted. */
  readonly start?: Start | undefined;
  /** Whether personal data is replaced by aliases, and the name of the capture omitted. */
  readonly redact: boolean;
  /** The rules of the app's adapter. */
  readonly rules: RedactionRules | undefined;
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Receives the warnings of the reader. */
  readonly onWarning: (text: string) => void;
}

/**
 * Yields the report of a capture as one HTML file, in pieces.
 * @throws {CaptureError} when the capture cannot be read, or its header or first record is invalid. What is before another broken line is written, with a warning.
 */
export async function* captureReport({ path, files, start, ...options }: CaptureReport) {
  const name = options.redact ? 'redacted.parley.jsonl' : basename(captureName(path));
  const zipped = await gzipped(path, options);
  yield* reportHtml({ files, name, start, capture: zipped.setEncoding('base64') });
}

/** Returns the gzipped capture. */
async function gzipped(path: string, { redact, rules, onRead, onWarning }: Options): Promise<Readable> {
  let reader = await readCapture(path, { onRead, brokenLines: 'end' });
  if (!redact && path !== STDIN && !isHar(path) && !isS3Url(path)) {
    for await (const _ of reader.records());
    if (reader.warnings.length === 0)
      return path.endsWith('.gz') ? createReadStream(path) : zip(readBytes(path));
    // A file that was cut off, or has a broken line, is written without that line and what follows; any other unchanged.
    reader = await readCapture(path, { brokenLines: 'end' });
  }
  const { header, records, warnings } = reader;
  async function* text() {
    yield* redact ? redactedText(reader, { rules }) : captureText(header, records());
    warnings.forEach(onWarning);
  }
  return zip(text());
}

type Options = Omit<CaptureReport, 'path' | 'files' | 'start'>;

/** Compresses the text; the stream fails when its source fails. */
const zip = (text: AsyncIterable<string | Uint8Array>): Readable =>
  pipeline(text, createGzip(), () => undefined);

/** The content of a report. */
interface Report extends Pick<CaptureReport, 'files' | 'start'> {
  /** The name of the capture that the page shows. */
  readonly name: string;
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
  const policy = pagePolicy({
    'script-src': scripts.map((script) => `'${hashOf(script)}'`).join(' '),
    'style-src': `'${hashOf(style)}'`,
    'worker-src': 'blob:',
  });
  return `<meta http-equiv="content-security-policy" content="${policy}" />`;
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/**
 * Escapes the three sequences that end or change a script element. They occur only in strings, where `\x3c` is equivalent; except for a group of a
 * regular expression with the name `script`, which has no effect without `<!--`.
 */
const withinMarkup = (script: string): string =>
  script.replaceAll(/<(?=!--|\/script)|(?<!\(\?)<(?=script)/gi, String.raw`\x3c`);
