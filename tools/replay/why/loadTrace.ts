import { setImmediate } from 'node:timers/promises';
import type { ToolApp } from '../adapter/toolApp.ts';
import { UsageError } from '../base/errors.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { captureText } from '../convert/harText.ts';
import { SessionError } from '../inspector/model/trace/app.ts';
import type { Trace } from '../inspector/model/trace/trace.ts';
import { TraceLoader } from '../inspector/model/trace/TraceLoader.ts';
import { GZIP_CUT_OFF } from '../read/captureDecoder.ts';
import { isHar, readBytes } from '../read/readBytes.ts';
import { readCapture } from '../read/readCapture.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { inspectedApp } from './inspectedApp.ts';

interface Options {
  /** The path of the adapter of another app. */
  readonly app: string | undefined;
  readonly own: ToolApp;
  readonly output: Output;
}

/**
 * Loads the trace of a capture into memory, as the inspector does, and prints its warnings.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {UsageError} when the adapter cannot be used.
 */
export async function loadTrace(path: string, { app: given, own, output }: Options): Promise<Trace> {
  const app = await inspectedApp(given, own, path);
  const loader = new TraceLoader(captureName(path), { app });
  const progress = await fileProgress(output, path);
  const onCutOff = () => loader.warn(GZIP_CUT_OFF);
  try {
    // The content of stdin can be a HAR.
    const isConverted = isHar(path) || path === STDIN;
    for await (const bytes of isConverted
      ? convertedBytes(path, output)
      : readBytes(path, { onRead: progress.onRead, onCutOff }))
      loader.take(bytes);
    const settling = loader.settle();
    let next = settling.next();
    for (; next.done !== true; next = settling.next()) await setImmediate();
    printWarnings(output, [...next.value.warnings, ...(app.warnings ?? [])]);
    return next.value;
  } finally {
    progress.end();
  }
}

async function* convertedBytes(path: string, output: Output) {
  const { header, records, warnings } = await readCapture(path);
  const encoder = new TextEncoder();
  for await (const text of captureText(header, records())) yield encoder.encode(text);
  printWarnings(output, warnings);
}

/** Returns the error of a search or of a path, which names what the user gave, as one of the command; any other error stays. */
export const asUsageError = (error: unknown): unknown =>
  error instanceof SessionError ? new UsageError(error.message, { cause: error }) : error;
