import { adapterError, adapterOf } from '../adapter/loadAdapter.ts';
import type { ToolApp } from '../adapter/toolApp.ts';
import { UsageError } from '../base/errors.ts';
import { leaveSignalsToSystem } from '../base/interruption.ts';
import { type Output, printWarnings } from '../base/output.ts';
import { fileProgress } from '../base/progress.ts';
import { visibleName } from '../base/visibleText.ts';
import { captureText } from '../convert/harText.ts';
import { loadStoreCapture } from '../engine/replayFile.ts';
import { adapterApp, storeApp } from '../inspector/model/apps/adapter.ts';
import { type InspectedApp, SessionError } from '../inspector/model/trace/app.ts';
import { runTask } from '../inspector/model/trace/task.ts';
import type { Trace } from '../inspector/model/trace/trace.ts';
import { TraceLoader } from '../inspector/model/trace/TraceLoader.ts';
import { GZIP_CUT_OFF } from '../read/captureDecoder.ts';
import { oneCapture } from '../read/findCaptures.ts';
import { isHar, readBytes } from '../read/readBytes.ts';
import { readCapture } from '../read/readCapture.ts';
import { STDIN, captureName } from '../read/stdin.ts';

interface Given {
  /** The capture, as the user gave it. */
  readonly given: string;
  /** The path of the module of an adapter; without one, the own app is shown. */
  readonly adapter: string | undefined;
  readonly own: ToolApp;
}

/** An app as the inspector shows it, and a capture of it. */
interface Inspected {
  readonly app: InspectedApp;
  readonly path: string;
  /** The first fields of a document. */
  readonly about: { readonly capture: string; readonly app: string | undefined };
}

/**
 * Returns what `answer` finds in a capture, for a command that counts steps and names values as the inspector does.
 * @throws {CaptureError} when the capture cannot be read.
 * @throws {UsageError} when the adapter cannot be used or throws, and for a {@link SessionError}, which names what the user gave.
 */
export async function withInspectedApp<T>(
  { given, adapter, own }: Given,
  answer: (inspected: Inspected) => Promise<T>,
): Promise<T> {
  const path = await oneCapture(given);
  return leaveSignalsToSystem(async () => {
    const app = adapter === undefined ? own.inspected : await inspectedApp(adapter, path);
    return answer({ app, path, about: { capture: captureName(path), app: adapter && app.name } });
  }).catch((error: unknown) => {
    if (!(error instanceof SessionError)) throw adapterError(adapter, error);
    throw new UsageError(visibleName(error.message), { cause: error });
  });
}

/** Returns the app of an adapter's module. That of a store runs through the capture once. */
async function inspectedApp(given: string, path: string): Promise<InspectedApp> {
  const adapter = await adapterOf(given);
  return 'createStore' in adapter ? storeApp(adapter)(await loadStoreCapture(path)) : adapterApp(adapter);
}

/** Loads the trace of a capture into memory, as the inspector does, and prints its warnings. @throws {CaptureError} when the capture cannot be read. */
export async function loadTrace({ app, path }: Inspected, output: Output): Promise<Trace> {
  const loader = new TraceLoader(captureName(path), { app });
  const { onRead, end } = await fileProgress(output, path);
  const onCutOff = () => loader.warn(GZIP_CUT_OFF);
  // The content of stdin can be a HAR.
  const isConverted = isHar(path) || path === STDIN;
  try {
    const pieces = isConverted ? convertedBytes(path, output) : readBytes(path, { onRead, onCutOff });
    for await (const bytes of pieces) loader.take(bytes);
    const trace = runTask(loader.settle());
    printWarnings(output, [...trace.warnings, ...(app.warnings ?? [])]);
    return trace;
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
