import type { ToolApp } from '../adapter/toolApp.ts';
import { UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { captureText } from '../convert/harText.ts';
import { SessionError } from '../inspector/model/trace/app.ts';
import type { Trace } from '../inspector/model/trace/trace.ts';
import { TraceLoader } from '../inspector/model/trace/TraceLoader.ts';
import { GZIP_CUT_OFF } from '../read/captureDecoder.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { isHar, readBytes } from '../read/readBytes.ts';
import { readCapture } from '../read/readCapture.ts';
import { STDIN, captureName } from '../read/stdin.ts';
import { inspectedApp } from './inspectedApp.ts';

interface Options {
  /** The capture, as the user gave it. */
  readonly given: string;
  /** The path of the adapter of another app. */
  readonly app: string | undefined;
  readonly own: ToolApp;
  readonly output: Output;
}

/**
 * Loads the trace of a capture into memory, as the inspector does, prints its warnings, and returns what `read` finds in it.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {UsageError} when the adapter cannot be used, and for a {@link SessionError}, which names what the user gave.
 */
export async function readTrace<T>(
  { given, app, ...options }: Options,
  read: (trace: Trace, about: { capture: string; app: string | undefined }) => T | Promise<T>,
): Promise<T> {
  const path = await oneCapture(given);
  return leaveSignalsToSystem(async () => {
    const trace = await loadTrace(path, { app, ...options });
    return read(trace, { capture: captureName(path), app: app && trace.app.name });
  }).catch((error: unknown) => {
    throw error instanceof SessionError ? new UsageError(error.message, { cause: error }) : error;
  });
}

async function loadTrace(path: string, { app: given, own, output }: Omit<Options, 'given'>): Promise<Trace> {
  const app = await inspectedApp(given, own, path);
  const loader = new TraceLoader(captureName(path), { app });
  const { onRead, end } = await fileProgress(output, path);
  const onCutOff = () => loader.warn(GZIP_CUT_OFF);
  // The content of stdin can be a HAR.
  const isConverted = isHar(path) || path === STDIN;
  try {
    const pieces = isConverted ? convertedBytes(path, output) : readBytes(path, { onRead, onCutOff });
    for await (const bytes of pieces) loader.take(bytes);
    const settling = loader.settle();
    let next = settling.next();
    while (next.done !== true) next = settling.next();
    printWarnings(output, [...next.value.warnings, ...(app.warnings ?? [])]);
    return next.value;
  } finally {
    end();
  }
}

async function* convertedBytes(path: string, output: Output) {
  const { header, records, warnings } = await readCapture(path);
  const encoder = new TextEncoder();
  for await (const text of captureText(header, records())) yield encoder.encode(text);
  printWarnings(output, warnings);
}
