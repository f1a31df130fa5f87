import { dirname, join, normalize, posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { z } from 'zod';
import { readErrorReason } from '#node/fileErrorReason.ts';
import { fileStream } from '#node/fileStream.ts';
import type { ReleaseRecord } from '#shared/capture/captureFormat.ts';
import { errorCode } from '#shared/formatText.ts';
import { QUEUE_TICK_MS } from '#shared/limits.ts';
import type { LateRelease } from '#shared/store/queue.ts';
import { isS3Url, readObject } from './s3.ts';
import { CaptureError, withoutByteOrderMark } from './captureDecoder.ts';
import { GZIP, STDIN, ZIP, captureName, openStdin, startsWith } from './stdin.ts';

/** The largest time that a `Date` can have, milliseconds. */
const LAST_TIME = 8.64e15;
/** Larger times are milliseconds: as seconds they would be after the year 5138, as milliseconds they are after 1973. */
const FIRST_MILLISECONDS = 1e11;

/** A time, seconds (or milliseconds: Playwright) since the epoch; -1 when it is missing. Becomes milliseconds, or `undefined`. */
const harTime = z
  .number()
  .nullish()
  .transform((time) => {
    if (typeof time !== 'number' || time < 0) return undefined;
    return time > FIRST_MILLISECONDS ? time : time * 1000;
  });

/** One message of a WebSocket, as Chrome, mitmproxy and Playwright write it. */
const messageSchema = z.object({
  type: z.enum(['send', 'receive', 'error']),
  time: z.number().max(LAST_TIME).nullish().pipe(harTime),
  opcode: z.number(),
  data: z.string(),
  /** Our own field: the snapshot with which a capture begins in the middle of a session. */
  _synthetic: z.literal(true).optional(),
});
/** A WebSocket message of a HAR, with its time in milliseconds since the epoch, if known. */
export type HarMessage = z.output<typeof messageSchema>;
/** A WebSocket message as it stands in a HAR. */
export type HarMessageFields = z.input<typeof messageSchema>;

/** Our own field of a HAR: the time of the session's launch, milliseconds since the start of the recording. */
export const LAUNCH_FIELD = '_parleyLaunch';
/** Our own field of a HAR: the session's late releases, which captures have as records. */
export const RELEASES_FIELD = '_parleyReleases';

const ownTime = z.number().min(0).max(LAST_TIME);
const tick = z.int().nonnegative().multipleOf(QUEUE_TICK_MS);
const dateText = z.string().transform((text) => {
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
});

const toRelease = (release: LateRelease): ReleaseRecord => ({ ...release, type: 'release' });

/** The parts of a HAR that are read. Other entries are not checked. */
const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: z.string(), version: z.string() }).optional(),
    pages: z.array(z.object({ startedDateTime: dateText })).optional(),
    entries: z.array(z.looseObject({})),
    [LAUNCH_FIELD]: ownTime.optional(),
    [RELEASES_FIELD]: z
      .array(z.object({ t: ownTime, update: z.int(), due: tick, tick }).transform(toRelease))
      .optional()
      .transform((releases = []) => releases),
  }),
});

const entrySchema = z.object({
  startedDateTime: dateText.optional(),
  /** The duration, milliseconds; -1 when it is unknown. */
  time: z.number().nullish(),
  request: z.object({ url: z.string() }),
  response: z.object({ content: z.object({ _file: z.string().optional() }).optional() }).optional(),
  _webSocketMessages: z.array(messageSchema).optional(),
  /** How the socket closed, as HTTP Toolkit writes it: the close frame, if there was one. */
  _webSocketClose: z
    .union([
      z.literal('aborted'),
      z.object({
        code: z.number().nullish(),
        reason: z.string().nullish(),
        /** HTTP Toolkit writes the time since the start of its process here. */
        timestamp: harTime,
      }),
    ])
    .nullish(),
});
type HarEntry = z.output<typeof entrySchema>;

/** A WebSocket of a HAR, with its messages. Times are milliseconds since the epoch, if known. */
export interface HarSocket {
  /** Its number among the sockets with messages, from 1. */
  readonly number: number;
  readonly url: string;
  /** The name of its HAR, when a zip contains several. */
  readonly file: string | undefined;
  /** The beginning and the end of the entry. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly messages: readonly HarMessage[];
  /** How it closed, if the HAR says so apart from the messages. */
  readonly close: HarEntry['_webSocketClose'];
}

type Log = z.output<typeof harSchema>['log'];

/** The WebSockets of a HAR. */
interface Har {
  readonly path: string;
  /** The number of HARs; more than one only in a zip. */
  readonly files: number;
  readonly creator: NonNullable<Log['creator']>;
  /** The beginning of the first page, milliseconds since the epoch, if known. */
  readonly startedAt: number | undefined;
  readonly launch: Log[typeof LAUNCH_FIELD];
  readonly releases: Log[typeof RELEASES_FIELD];
  /** The sockets with messages, in the HAR's order; at least one. */
  readonly sockets: readonly HarSocket[];
}

/**
 * Reads a HAR, plain, gzipped or in a zip (`-` is stdin), with the separate files in which Playwright attaches messages. The HARs of a zip become
 * one, in the order of their names.
 * @param bytes the content of the file, when it has already been read.
 * @throws {CaptureError} when the file cannot be read, is larger than 512 MB when it is decompressed, is not a HAR, or has no WebSocket messages.
 */
export async function readHar(given: string, bytes?: Buffer): Promise<Har> {
  const path = captureName(given);
  const files = await harFiles(given, bytes);
  const logs: Log[] = [];
  const sockets: HarSocket[] = [];
  let count = 0;
  for (const file of files) {
    const { log } = check({ path: file.path, schema: harSchema, value: parse(file.path, file.text) });
    logs.push(log);
    for (const socket of await socketsOf(file, log)) {
      count++;
      const of = { number: sockets.length + 1, file: files.length > 1 ? file.path : undefined };
      if (socket.messages.length > 0) sockets.push({ ...socket, ...of });
    }
  }
  if (count === 0) throw new CaptureError(`${path}: contains no WebSocket`);
  if (sockets.length === 0)
    throw new CaptureError(`${path}: contains no WebSocket messages; record it with their content`);
  const [log] = logs;
  return {
    path,
    files: files.length,
    creator: log?.creator ?? { name: 'HAR', version: '' },
    startedAt: log?.pages?.[0]?.startedDateTime,
    launch: log?.[LAUNCH_FIELD],
    releases: log?.[RELEASES_FIELD] ?? [],
    sockets,
  };
}

async function socketsOf(file: HarFile, { entries }: Log): Promise<Omit<HarSocket, 'number' | 'file'>[]> {
  const sockets = [];
  for (const [index, value] of entries.entries()) {
    if (value._resourceType !== 'websocket' && value._webSocketMessages === undefined) continue;
    const entry = check({ path: file.path, schema: entrySchema, value, at: `log.entries[${index}]` });
    const { request, startedDateTime: startedAt, time, _webSocketClose: close } = entry;
    const endedAt =
      startedAt === undefined || typeof time !== 'number' || time < 0 ? undefined : startedAt + time;
    sockets.push({ url: request.url, startedAt, endedAt, messages: await messagesOf(file, entry), close });
  }
  return sockets;
}

/** Returns the messages in the entry, or those that Playwright attached: one per line, in a file in the HAR's folder. */
async function messagesOf({ path, beside }: HarFile, entry: HarEntry): Promise<readonly HarMessage[]> {
  const file = entry.response?.content?._file;
  if (entry._webSocketMessages !== undefined || file === undefined) return entry._webSocketMessages ?? [];
  const name = normalize(file);
  if (name.startsWith('..') || name.startsWith('/'))
    throw new CaptureError(
      `${path}: its messages are in ${file}, outside its folder; move that file beside it`,
    );
  const attached = await beside(name);
  const lines = attached.text.split('\n').filter((line) => line !== '');
  return lines.map((line, i) => {
    const place = `${attached.path}:${i + 1}`;
    return check({ path: place, schema: messageSchema, value: parse(place, line) });
  });
}

function parse(path: string, text: string): unknown {
  if (text.trim() === '') throw new CaptureError(`${path}: is empty`);
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new CaptureError(`${path}: is not JSON`, { cause: error });
  }
}

interface Checking<T> {
  readonly path: string;
  readonly schema: z.ZodType<T>;
  readonly value: unknown;
  /** The place of the value in the file. */
  readonly at?: string;
}

function check<T>({ path, schema, value, at = '' }: Checking<T>): T {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const where = [at, ...(issue?.path ?? [])]
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\.+/, '');
  throw new CaptureError(
    `${path}: does not have the format of Chrome’s HARs: ${where || 'the document'}: ${issue?.message}`,
  );
}

/** A file that contains a HAR. */
interface HarFile {
  /** Its path; in a zip, the path of the zip and its name there. */
  readonly path: string;
  readonly text: string;
  /**
   * Reads a file beside it.
   * @throws {CaptureError} when the file cannot be read.
   */
  readonly beside: (file: string) => Promise<{ readonly path: string; readonly text: string }>;
}

/** A larger file is not decompressed: a text of this size is the longest that can be parsed. */
const MOST_BYTES = 512 * 1024 * 1024;
const TOO_LARGE = `is larger than ${MOST_BYTES / 1024 / 1024} MB when it is decompressed`;

async function harFiles(given: string, bytes?: Buffer): Promise<HarFile[]> {
  const path = captureName(given);
  const content = bytes ?? (await read(path, () => bytesOf(given)));
  if (startsWith(content, ZIP)) return zippedHars(path, content);
  const text = await read(path, () =>
    startsWith(content, GZIP) ? gunzipSync(content, { maxOutputLength: MOST_BYTES }) : content,
  );
  const beside = async (file: string) => {
    const other = isS3Url(path) ? path.replace(/[^/]*$/, () => file) : join(dirname(path), file);
    return { path: other, text: (await read(other, () => bytesOf(other))).toString() };
  };
  return [{ path, text: text.toString(), beside }];
}

async function bytesOf(path: string): Promise<Buffer> {
  if (path === STDIN) return buffer((await openStdin()).stream);
  return buffer(isS3Url(path) ? readObject(path) : fileStream(path));
}

async function read(path: string, reading: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  try {
    return await reading();
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new CaptureError(`${path}: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ERR_BUFFER_TOO_LARGE') return TOO_LARGE;
  return code === 'Z_BUF_ERROR' ? 'the gzip file ends too early' : readErrorReason(error);
}

/** Returns the HARs of a zip in the order of their names. Omits what macOS adds for each file. */
function zippedHars(zip: string, bytes: Buffer): HarFile[] {
  const unzip = (isWanted: (name: string) => boolean) => unzipped(zip, bytes, isWanted);
  const hars = unzip((name) => /(?:^|\/)(?!\._)[^/]*\.har$/i.test(name));
  if (hars.size === 0) throw new CaptureError(`${zip}: contains no .har file`);
  const beside = async (name: string) => {
    const text = unzip((one) => one === name).get(name);
    if (text === undefined) throw new CaptureError(`${zip}/${name}: there is no such file in the zip`);
    return { path: `${zip}/${name}`, text };
  };
  return [...hars]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => ({
      path: `${zip}/${name}`,
      text,
      beside: (file) => beside(posix.join(posix.dirname(name), file)),
    }));
}

/** Decompresses some files of a zip. A file is never decompressed beyond the size that the zip states. */
function unzipped(zip: string, bytes: Buffer, isWanted: (name: string) => boolean): Map<string, string> {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (isWanted(name)) size += originalSize;
        if (size > MOST_BYTES) throw new CaptureError(`${zip}: ${TOO_LARGE}`);
        return isWanted(name);
      },
    });
    return new Map(Object.entries(files).map(([name, content]) => [name, textOf(content)]));
  } catch (error) {
    if (error instanceof CaptureError) throw error;
    throw new CaptureError(`${zip}: is not a zip file, or a broken one`, { cause: error });
  }
}

const textOf = ({ buffer: memory, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(memory, byteOffset, byteLength).toString();
