import type { CaptureHeader, CaptureRecord } from '#shared/capture/format.ts';
import { CaptureLineError, type CaptureParser, captureParser } from '#shared/capture/parse.ts';
import { isHar, readHarCapture } from './readHarCapture.ts';
import { CaptureError } from './captureError.ts';
import { type LineBatch, type ReadOptions, captureLines, isJson } from './captureLines.ts';
import { STDIN, captureName } from './stdin.ts';
import { withoutMark } from './utf8Text.ts';

/** A capture as it is read: its header, then its records, a batch for each part of the file. */
export interface CaptureReader {
  readonly header: CaptureHeader;
  /**
   * The records in order, once.
   * @throws {CaptureError} at the first line that cannot be used.
   */
  records(): AsyncGenerator<readonly CaptureRecord[], void>;
  /** What was wrong and could be lived with; complete when the records are through. */
  readonly warnings: readonly string[];
}

/**
 * Opens a capture, plain or gzipped, or a HAR that holds one WebSocket, and reads its header. `-` is stdin.
 * @throws {CaptureError} when the file cannot be read or its header cannot be used.
 */
export async function readCapture(path: string, { onRead }: ReadOptions = {}): Promise<CaptureReader> {
  if (isHar(path)) return readHarCapture(path);
  const warnings: string[] = [];
  const parser = captureParser();
  const lines = captureLines({ path, warnings, onRead });
  const first = await lines.next();
  if (first.done) throw new CaptureError(`${captureName(path)}: is empty`);
  // Stdin has no name that says so.
  if (path === STDIN && isHarText(first.value))
    return readHarCapture(path, { text: await textOf(first.value, lines) });
  const [headerLine = '', ...others] = first.value.lines;
  const header = headerOf({ parser, line: withoutMark(headerLine), path });
  if (header instanceof CaptureError) {
    // Nobody will read on: the file is closed.
    await lines.return();
    throw header;
  }
  const rest = { ...first.value, lines: others, start: 2 };

  async function* records() {
    try {
      yield parseBatch({ batch: rest, path, parser, warnings });
      for await (const next of lines) yield parseBatch({ batch: next, path, parser, warnings });
    } finally {
      await lines.return();
    }
  }
  return { header, records, warnings };
}

/** Whether the first lines begin a HAR, which may be indented. */
const isHarText = ({ lines }: LineBatch): boolean =>
  /^\uFEFF?\s*\{\s*"log"\s*:/.test(lines.slice(0, 10).join('\n'));

async function textOf(first: LineBatch, rest: AsyncIterable<LineBatch>): Promise<string> {
  const parts = [first.lines.join('\n')];
  for await (const { lines } of rest) parts.push(lines.join('\n'));
  return parts.join('\n');
}

interface Parsing {
  readonly batch: LineBatch;
  readonly path: string;
  readonly parser: CaptureParser;
  readonly warnings: string[];
}

/** The header, or what is wrong with it. */
function headerOf({ parser, line, path }: { parser: CaptureParser; line: string; path: string }) {
  try {
    return parser.header(line);
  } catch (error) {
    if (!(error instanceof CaptureLineError)) throw error;
    return new CaptureError(`${captureName(path)}:1: ${error.message}`, { cause: error });
  }
}

function parseBatch({ batch, path, parser, warnings }: Parsing): CaptureRecord[] {
  const { lines, start, isTorn } = batch;
  const records: CaptureRecord[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    try {
      records.push(parser.record(line));
    } catch (error) {
      if (!(error instanceof CaptureLineError)) throw error;
      // Asked only here, for blank lines are rare and records a million.
      if (line.trim() === '') continue;
      const message = `${captureName(path)}:${start + i}: ${error.message}`;
      const isCutOff = isTorn && i === lines.length - 1 && !isJson(line);
      if (!isCutOff) throw new CaptureError(message, { cause: error });
      warnings.push(`${message}; the recorder was stopped in the middle of it, and all before it is used`);
    }
  }
  return records;
}
