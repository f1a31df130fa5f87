import { REPLAY } from '../base/command.ts';
import { quoteForShell } from '#node/fileErrorReason.ts';
import { type Bytes, CaptureError, GZIP_CUT_OFF } from '../read/captureDecoder.ts';
import { SessionError } from './model/trace/app.ts';
import type { TraceLoader } from './model/trace/TraceLoader.ts';
import type { Source } from './protocol/protocol.ts';

/** Receives the number of bytes that have been read; `total` is 0 when it is not known. */
export type OnRead = (read: number, total: number) => unknown;

/** What receives the bytes of a source. */
export interface Reading {
  readonly loader: Pick<TraceLoader, 'take' | 'warn'>;
  readonly onRead: OnRead;
}

/**
 * Passes the bytes of a source to a loader; decompresses gzip.
 * @throws {SessionError} when the source cannot be read.
 * @throws {CaptureError} when a line of it is not valid.
 */
export async function readSource(source: Source, { loader, onRead }: Reading): Promise<void> {
  const { body, total } = await openSource(source);
  let read = 0;
  const counting = new TransformStream<Bytes, Bytes>({
    transform(bytes, controller) {
      read += bytes.length;
      onRead(read, total);
      controller.enqueue(bytes);
    },
  });
  const [start, stream] = body.pipeThrough(counting).tee();
  const isZipped = await startsLikeGzip(start);
  const reader = (isZipped ? stream.pipeThrough(new DecompressionStream('gzip')) : stream).getReader();
  try {
    for (let part = await reader.read(); part.value !== undefined; part = await reader.read())
      loader.take(part.value);
  } catch (error) {
    // The rest is not read; an error of the cancellation has no effect.
    reader.cancel().catch(() => undefined);
    if (error instanceof SessionError || error instanceof CaptureError) throw error;
    if (!(isZipped && isCutOff(error))) throw refusal(source.name, error);
    loader.warn(GZIP_CUT_OFF);
  }
}

type Opened = Readonly<{ body: ReadableStream<Bytes>; total: number }>;

async function openSource(source: Source): Promise<Opened> {
  if (source.kind === 'url') return fetchSource(source);
  const blob = source.kind === 'file' ? source.file : new Blob([source.text]);
  return { body: blob.stream(), total: blob.size };
}

async function fetchSource({ url, name, headers }: Extract<Source, { kind: 'url' }>): Promise<Opened> {
  const response = await fetch(url, { headers }).catch((error: unknown) => {
    throw refusal(name, error);
  });
  // The text of the response tells the person what to do.
  if (response.status === 403) throw new SessionError(`${name}: ${(await response.text()).trim()}`);
  if (!response.ok || response.body === null) {
    throw new SessionError(`${name}: the server answered ${response.status}.`);
  }
  return { body: response.body, total: Number(response.headers.get('content-length') ?? 0) };
}

const refusal = (name: string, error: unknown) =>
  new SessionError(`${name}: cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });

/** Returns whether a stream begins with the two bytes with which gzip begins. */
async function startsLikeGzip(stream: ReadableStream<Bytes>): Promise<boolean> {
  const reader = stream.getReader();
  const start: number[] = [];
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    start.push(...part.value.subarray(0, 2));
    if (start.length >= 2) break;
  }
  // Ends only with the stream, from which this one is branched off.
  reader.cancel().catch(() => undefined);
  return start[0] === 0x1f && start[1] === 0x8b;
}

/** Returns whether the error means truncated gzip; browsers and Node use different messages. */
const isCutOff = (error: unknown): boolean =>
  error instanceof Error && /truncated|unexpected end/i.test(`${error.message} ${String(error.cause)}`);

/** The beginning of a file, in bytes. */
const BEGINNING = 4096;

const HAR = /^\uFEFF?\s*\{\s*"log"\s*:/;
const ZIP = 'PK\u0003\u0004';
/** The names by which the commands recognize a HAR. */
const HAR_NAME = /\.(?:har|har\.gz|zip)$/i;
const GOLDEN = /"format"\s*:\s*"parley-golden"/;

/** Says what a file is that is not a capture, and what to do with it; `undefined` when that is not known. */
export async function explainSource(source: Source): Promise<string | undefined> {
  if (source.kind !== 'file') return undefined;
  const { name, file } = source;
  const beginning = await file.slice(0, BEGINNING).text();
  if (GOLDEN.test(beginning)) return explainGolden(name);
  if (HAR.test(beginning) || /\.har(?:\.gz|\.zip)?$/i.test(name))
    return `This is a HAR, the network traffic that a browser recorded. ${howToOpen(name)}`;
  return beginning.startsWith(ZIP)
    ? `This is a zip file, which can contain a HAR. ${howToOpen(name)}`
    : undefined;
}

/** Returns the commands that open a HAR. */
function howToOpen(name: string): string {
  const har = HAR_NAME.test(name) ? name : `${name}.har`;
  const path = quoteForShell(har);
  return (
    `${har === name ? '' : `Rename it to ${har}. `}Open it with ${REPLAY} open ${path}, ` +
    `or convert it with ${REPLAY} import ${path} and drop the capture.`
  );
}

function explainGolden(name: string): string {
  const what = 'This is a golden, the expected result of a capture.';
  const input = name.replace(/\.golden\.json$/, '');
  if (input === name) return `${what} Drop the capture.`;
  const capture = /\.(?:jsonl|gz|har|zip)$/i.test(input) ? input : `${input}.parley.jsonl`;
  const command = `${REPLAY} verify ${quoteForShell(capture)}`;
  return `${what} Drop the capture, ${capture}. To compare it with its golden, run ${command}.`;
}
