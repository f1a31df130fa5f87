import { basename } from 'node:path';
import { captureName } from '../../read/stdin.ts';
import type { Start } from '../protocol/protocol.ts';
import type { PageFiles } from '../serve/pageFiles.ts';
import type { AppAdapter } from '../../engine/appAdapter.ts';
import { captureBase64 } from './captureBase64.ts';
import { reportHtml } from './reportHtml.ts';

/** What a report contains, and where it opens. */
interface CaptureReport {
  /** The path of the capture. */
  readonly path: string;
  readonly files: PageFiles;
  /** Before the first step when omitted. */
  readonly start?: Start | undefined;
  /** Whether personal data is replaced by aliases, and the name of the capture omitted. */
  readonly redact: boolean;
  /** The adapter of another app than Parley. */
  readonly adapter?: AppAdapter | undefined;
  readonly onRead?: ((bytes: number) => void) | undefined;
  /** Receives the warnings of the reader. */
  readonly onWarning: (text: string) => void;
}

/**
 * Yields the report of a capture as one HTML file, in pieces.
 * @throws {CaptureError} when the capture cannot be read or any line is invalid.
 */
export function captureReport({ path, files, start, ...options }: CaptureReport): AsyncIterable<string> {
  const name = options.redact ? 'redacted.parley.jsonl' : basename(captureName(path));
  return reportHtml({ files, name, start, capture: captureBase64(path, options) });
}
